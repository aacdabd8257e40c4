/**
 * Records and replays decisions for Swift and JavaScript: messages to PureAttestServerMessages and its replies, in order.
 *
 *   node decisions.mjs MODULE FILE            replays FILE in the WebAssembly module; the Swift tests replay it natively
 *   node decisions.mjs MODULE FILE --write TOOL   records the suite and the cases over a store in memory
 *
 * A message's values are null, numbers, and texts: "=" with ASCII, "#" with hexadecimal, or "@" with an index of `blobs`.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { partyIn } from "../Verifier/pure-attest.mjs";
import * as main from "../RelyingParty/relying-party.mjs";
import { MemoryLimits } from "../RelyingParty/limits.mjs";
import { MemoryStore } from "../RelyingParty/stores.mjs";
import { decode, encode } from "../RelyingParty/wire.mjs";
import { runCases } from "./Party/party-cases.mjs";
import { runSuite } from "./Party/party-suite.mjs";
import { Bench, appID, bytesOf } from "./Party/party-support.mjs";

const [modulePath, path, option, tool] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(modulePath));
/** The maximum length of a value in a message, in bytes. Longer values are written to `blobs`. */
const SHORT = 40;
/** Longer messages are omitted, because they test the limits, which other tests cover. */
const LONGEST = 20_000;

/** Calls an export directly with a message, and returns its code and reply. */
function caller(exports) {
  return (name, message, ...numbers) => {
    const block = (bytes) => {
      const start = exports.pure_attest_allocate(bytes.length) >>> 0;
      new Uint8Array(exports.memory.buffer).set(bytes, start);
      return start;
    };
    const result = exports.pure_attest_allocate(8) >>> 0;
    const code = exports[name](...numbers, block(message), message.length, result);
    if (code !== 0) return { code };
    const view = new DataView(exports.memory.buffer);
    const [start, count] = [view.getUint32(result, true), view.getUint32(result + 4, true)];
    return { code, reply: new Uint8Array(exports.memory.buffer).slice(start, start + count) };
  };
}

class Recorder {
  blobs = [];
  parties = [];
  #indices = new Map();

  values(message) {
    return decode(message).map((value) => {
      if (!(value instanceof Uint8Array)) return value;
      const text = String.fromCharCode(...value);
      if (/^[A-Za-z]{1,40}$/.test(text)) return `=${text}`;
      if (value.length <= SHORT) return `#${Buffer.from(value).toString("hex")}`;
      const base64 = Buffer.from(value).toString("base64");
      if (!this.#indices.has(base64)) this.#indices.set(base64, this.blobs.push(base64) - 1);
      return `@${this.#indices.get(base64)}`;
    });
  }

  /** Returns exports that record each call. */
  wrap(exports, options) {
    const party = { ...options, events: [] };
    const message = (start, count) => new Uint8Array(exports.memory.buffer).slice(start, start + count);
    const recorded = (kind, code, input, result) => {
      const view = new DataView(exports.memory.buffer);
      const reply = code === 0 ? message(view.getUint32(result, true), view.getUint32(result + 4, true)) : undefined;
      if (input.length > LONGEST || (reply?.length ?? 0) > LONGEST) party.isTooLong = true;
      else party.events.push([kind, this.values(input), reply && this.values(reply)]);
      return code;
    };
    return {
      ...exports,
      pure_attest_party_create: (verifier, start, count) => {
        party.settings = this.values(message(start, count));
        this.parties.push(party);
        return exports.pure_attest_party_create(verifier, start, count);
      },
      pure_attest_messages_begin: (handle, start, count, result) => {
        const input = message(start, count);
        return recorded(0, exports.pure_attest_messages_begin(handle, start, count, result), input, result);
      },
      pure_attest_messages_answer: (handle, number, start, count, result) => {
        const input = message(start, count);
        return recorded(number, exports.pure_attest_messages_answer(handle, number, start, count, result), input, result);
      },
      pure_attest_messages_drop: (handle, number) => {
        party.events.push([-number]);
        exports.pure_attest_messages_drop(handle, number);
      },
    };
  }
}

async function record() {
  // Makes the random bytes the same in each run.
  let count = 0;
  Object.defineProperty(globalThis.crypto, "getRandomValues", { value: (array) => array.map((_, index) => (index === 0 ? count++ : count) & 255) });
  const bench = new Bench({ ...main, MemoryLimits, MemoryStore }, module, tool);
  const recorder = new Recorder();
  const make = bench.verifier.bind(bench);
  bench.verifier = ({ device = bench.device, environment = "production", app = appID, wrap, ...options } = {}) => make({
    device, environment, app, ...options,
    // Records only verifiers whose options the file can express.
    wrap: wrap ?? (device === bench.device && Object.keys(options).length === 0
      ? (exports) => recorder.wrap(exports, { environment, app }) : undefined),
  });
  try {
    await runSuite(bench, "recorded", async () => Array(2).fill(new MemoryStore()));
    await runCases(bench);
  } finally {
    bench.close();
  }
  const parties = recorder.parties.filter(({ isTooLong, events }) => !isTooLong && events.length > 0 && events.length < 400);
  const used = new Set(JSON.stringify(parties).match(/"@\d+"/g)?.map((text) => Number(text.slice(2, -1))));
  const indices = new Map([...used].sort((a, b) => a - b).map((old, index) => [old, index]));
  const moved = JSON.parse(JSON.stringify(parties), (_, value) =>
    (typeof value === "string" && /^@\d+$/.test(value) ? `@${indices.get(Number(value.slice(1)))}` : value));
  const { attestationRoot, receiptRoot } = bench.device.anchor;
  const blobs = [...indices.keys()].map((index) => recorder.blobs[index]);
  const listed = (values) => values.map((value) => JSON.stringify(value)).join(",\n");
  const lines = moved.map(({ events, ...party }) => `${JSON.stringify(party).slice(0, -1)},"events":[\n${listed(events)}]}`);
  const roots = `"attestationRoot":"${attestationRoot}","receiptRoot":"${receiptRoot}"`;
  writeFileSync(path, `{${roots},"blobs":[\n${listed(blobs)}],"parties":[\n${lines.join(",\n")}]}\n`);
}

async function replay() {
  const { attestationRoot, receiptRoot, blobs, parties } = JSON.parse(readFileSync(path, "utf8"));
  const bytes = (values) => encode(values.map((value) => {
    if (typeof value !== "string") return value;
    const rest = value.slice(1);
    if (value[0] === "=") return rest;
    return value[0] === "#" ? Uint8Array.from(rest.match(/../g) ?? [], (digits) => parseInt(digits, 16)) : bytesOf(blobs[rest]);
  }));
  let decisions = 0;
  const bench = { module, library: main, device: { anchor: { attestationRoot, receiptRoot } } };
  for (const { environment, app, settings, events } of parties) {
    let party;
    let call;
    let instance;
    const wrap = (exports) => {
      instance = exports;
      call = caller(exports);
      return { ...exports, pure_attest_party_create: (...values) => (party = exports.pure_attest_party_create(...values)) };
    };
    const verifier = await Bench.prototype.verifier.call(bench, { environment, app, wrap });
    partyIn(verifier, bytes(settings));
    for (const [kind, input, reply] of events) {
      if (kind < 0) {
        instance.pure_attest_messages_drop(party, -kind);
        continue;
      }
      const answer = kind === 0 ? call("pure_attest_messages_begin", bytes(input), party) : call("pure_attest_messages_answer", bytes(input), party, kind);
      if (reply === undefined || reply === null) assert.notEqual(answer.code, 0);
      else assert.deepEqual(answer.reply, bytes(reply), JSON.stringify([kind, input, reply]).slice(0, 500));
      if (kind === 0) decisions += 1;
    }
  }
  console.log(`${decisions} decisions of ${parties.length} parties have their recorded questions and answers`);
}

await (option === "--write" ? record() : replay());
