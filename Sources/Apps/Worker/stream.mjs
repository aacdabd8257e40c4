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
  const counter = /^text\/event-stream\b/i.test(type) ? new EventCounter(usage) : new ObjectCounter(usage);
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
        counter.add(part.value);
        controller.enqueue(part.value);
        return;
      }
      const { used } = counter;
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

class ObjectCounter {
  #path;
  #decoder = new TextDecoder();
  #text = "";
  #isTooLong = false;

  constructor(path) {
    this.#path = path;
  }

  add(bytes) {
    if (this.#isTooLong) return;
    this.#text += this.#decoder.decode(bytes, { stream: true });
    if (this.#text.length > MAXIMUM_TEXT) [this.#isTooLong, this.#text] = [true, ""];
  }

  get used() {
    return numberAt(this.#text, this.#path);
  }
}

/** Server-sent events (HTML Standard §9.2.6). An event may be JSON; the last event with the number applies. */
class EventCounter {
  #path;
  #decoder = new TextDecoder();
  #line = "";
  #lineLength = 0;
  #data = [];
  #dataLength = 0;
  #used = null;

  constructor(path) {
    this.#path = path;
  }

  add(bytes) {
    const parts = this.#decoder.decode(bytes, { stream: true }).split("\n");
    for (const [index, part] of parts.entries()) {
      this.#lineLength += part.length;
      if (this.#lineLength <= MAXIMUM_TEXT) this.#line += part;
      if (index < parts.length - 1) this.#endLine();
    }
  }

  #endLine() {
    const isTooLong = this.#lineLength > MAXIMUM_TEXT;
    const line = this.#line.replace(/\r$/, "");
    [this.#line, this.#lineLength] = ["", 0];
    if (line === "") {
      this.#endEvent();
    } else if (isTooLong || line.startsWith("data:")) {
      this.#dataLength += isTooLong ? MAXIMUM_TEXT + 1 : line.length;
      if (this.#dataLength <= MAXIMUM_TEXT) this.#data.push(line.slice(5));
      else this.#data = [];
    }
  }

  #endEvent() {
    const isWhole = this.#dataLength <= MAXIMUM_TEXT;
    this.#used = (isWhole ? numberAt(this.#data.join("\n"), this.#path) : null) ?? this.#used;
    [this.#data, this.#dataLength] = [[], 0];
  }

  get used() {
    // A stream may end without the empty line after its last event.
    this.#endLine();
    this.#endEvent();
    return this.#used;
  }
}
