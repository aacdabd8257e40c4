/** Forwards a model's answer unchanged, and reads the usage that it reports. */

/** The longest event, or answer that is not a stream, to parse. A longer one is forwarded, but its usage is unknown. */
const MAXIMUM_TEXT = 1 << 20;

/**
 * Reads from the upstream only as fast as the client reads, so that no answer accumulates in memory.
 *
 * @param {string[]} usage the path of the usage in the JSON, or in the last event that contains this path
 * @param {AbortSignal} signal ends both sides
 * @param {(used: number | null) => Promise<void>} settle called once, after the whole answer has arrived and before the
 * client sees its end
 * @returns `readable`, and `whole`, a promise of how the answer ended and of its usage (null if unknown)
 */
export function passThrough(body, { type, usage, signal }, settle) {
  const counter = /^text\/event-stream\b/i.test(type) ? eventCounter(usage) : objectCounter(usage);
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let isGone = false;
  let finish;
  // Only the first call of `finish` has an effect.
  const whole = new Promise((resolve) => { finish = resolve; });
  const breakOff = (ended) => finish({ ended, used: null });
  const readable = new ReadableStream({
    start(controller) {
      const end = () => {
        breakOff("timeLimit");
        controller.error(new Error("the upstream took too long"));
        reader.cancel().catch(() => {});
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    },
    async pull(controller) {
      let part;
      try {
        part = await reader.read();
      } catch (error) {
        breakOff(signal.aborted ? "timeLimit" : "upstreamFailed");
        throw error;
      }
      // A cancelled reader reports "done" although the answer has not ended.
      if (isGone || signal.aborted) return;
      if (!part.done) {
        counter.add(decoder.decode(part.value, { stream: true }));
        controller.enqueue(part.value);
        return;
      }
      const used = counter.used();
      // If the database fails, the whole reservation stays charged, and the client still gets its answer.
      const settling = settle(used).then(() => ({ ended: "whole", used }), () => ({ ended: "notSettled", used }));
      finish(settling);
      await settling;
      if (!isGone && !signal.aborted) controller.close();
    },
    cancel(reason) {
      isGone = true;
      breakOff("clientGone");
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return { readable, whole };
}

/** Returns the number at a path, or null. The caller must check that the number is valid. */
function numberAt(text, path) {
  if (!text.includes(`"${path.at(-1)}"`)) return null;
  try {
    const value = path.reduce((object, name) => (Object.hasOwn(Object(object), name) ? object[name] : undefined), JSON.parse(text));
    return typeof value === "number" ? value : null;
  } catch {
    return null;
  }
}

function objectCounter(path) {
  let text = "";
  let isTooLong = false;
  return {
    add(part) {
      if (isTooLong) return;
      text += part;
      if (text.length > MAXIMUM_TEXT) [isTooLong, text] = [true, ""];
    },
    used: () => numberAt(text, path),
  };
}

/** Server-sent events (HTML Standard §9.2.6). An event may be JSON; the last event with the number applies. */
function eventCounter(path) {
  let [line, lineLength] = ["", 0];
  let [data, dataLength] = [[], 0];
  let used = null;
  const endEvent = () => {
    if (dataLength <= MAXIMUM_TEXT) used = numberAt(data.join("\n"), path) ?? used;
    [data, dataLength] = [[], 0];
  };
  const endLine = () => {
    const isTooLong = lineLength > MAXIMUM_TEXT;
    const ended = line.replace(/\r$/, "");
    [line, lineLength] = ["", 0];
    if (ended === "" && !isTooLong) {
      endEvent();
    } else if (isTooLong || ended.startsWith("data:")) {
      dataLength += isTooLong ? MAXIMUM_TEXT + 1 : ended.length;
      if (dataLength <= MAXIMUM_TEXT) data.push(ended.slice(5));
      else data = [];
    }
  };
  return {
    add(text) {
      const parts = text.split("\n");
      for (const [index, part] of parts.entries()) {
        lineLength += part.length;
        if (lineLength <= MAXIMUM_TEXT) line += part;
        if (index < parts.length - 1) endLine();
      }
    },
    used() {
      // A stream may end without the empty line after its last event.
      endLine();
      endEvent();
      return used;
    },
  };
}
