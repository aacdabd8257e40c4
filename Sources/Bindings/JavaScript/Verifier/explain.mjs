/** Reports on each step of a verification, by the module PureAttestExplainWasm.wasm. Types: explain.d.mts. */

import { ENVIRONMENT_NAMES, INPUT_LIMITS, copyOf, limitOf, secondsOf, textFrom } from "./arguments.mjs";
import { callIn } from "./pure-attest.mjs";
import { reasonText } from "./reason-texts.mjs";
import { CERTIFICATE_REASONS, REASONS } from "../Generated/reasons.mjs";
import { AUTHORITIES, CAUSES, CHECKS, NUMBERS, VALUES } from "../Generated/report-texts.mjs";

const SUBJECTS = [undefined, "attestation", "assertion", "receipt"];
const STATUSES = [undefined, "passed", "failed", "notRun"];

/** Copies an object of up to 1 MiB. If it is too large for verification, the report explains the rejection. */
const explained = (value, name) => copyOf(value, name, INPUT_LIMITS.explained);

/** `flag`: 0 reports on the attestation; 2 reports on its receipt if the attestation verifies. */
function attestationReport(verifier, { attestation, keyID, challenge, clientDataHash, now = Date.now() / 1000 }, flag) {
  if ((challenge === undefined) === (clientDataHash === undefined)) throw new TypeError("either challenge or clientDataHash");
  const inputs = [
    explained(attestation, "attestation"), explained(keyID, "keyID"),
    challenge === undefined ? copyOf(clientDataHash, "clientDataHash") : copyOf(challenge, "challenge"),
  ];
  const time = secondsOf(now);
  return report(verifier, "attestation", inputs, (pairs) => [...pairs, flag | (challenge === undefined ? 1 : 0), time]);
}

export const explainAttestation = (verifier, object) => attestationReport(verifier, object, 0);
export const explainAttestedReceipt = (verifier, object) => attestationReport(verifier, object, 2);

export function explainAssertion(verifier, { assertion, clientData, challenge, keyRecord, now = Date.now() / 1000 }) {
  if (challenge === undefined) throw new TypeError("challenge: bytes, or null if the caller compares them");
  const inputs = [
    explained(assertion, "assertion"), copyOf(clientData, "clientData"),
    challenge === null ? new Uint8Array() : copyOf(challenge, "challenge"), copyOf(keyRecord, "keyRecord"),
  ];
  const time = secondsOf(now);
  return report(verifier, "assertion", inputs, (pairs) => {
    if (challenge === null) pairs[5] = -1;
    return [...pairs, time];
  });
}

export function explainReceipt(verifier, { receipt, keyRecord, now = Date.now() / 1000, maximumAge = 300 }) {
  const inputs = [explained(receipt, "receipt"), copyOf(keyRecord, "keyRecord")];
  const age = maximumAge === null ? -1 : limitOf(maximumAge, "maximumAge");
  const time = secondsOf(now);
  return report(verifier, "receipt", inputs, (pairs) => [...pairs, time, age]);
}

/** `argumentsOf` must not throw: the verifier treats any exception inside a call as a trap. */
function report(verifier, subject, inputs, argumentsOf) {
  const encoded = callIn(verifier, `pure_attest_explain_${subject}`, inputs, argumentsOf);
  const reader = new Reader(encoded);
  const name = SUBJECTS[reader.byte()];
  const [authority, authorityName] = AUTHORITIES[reader.byte()];
  return { subject: name, authority, steps: reader.list(() => stepOf(reader, name, authorityName)) };
}

function stepOf(reader, subject, authorityName) {
  const [stepCode, text] = CHECKS[reader.byte()];
  const title = text.replaceAll("%", authorityName);
  const status = STATUSES[reader.byte()];
  const refusal = Number(reader.number(2));
  const reasonCode = refusal === 0 ? null : REASONS[refusal & 0xff] ?? "unknown";
  const reasonDetail = CERTIFICATE_REASONS[refusal >> 8] ?? null;
  const [expectedValue, receivedValue] = [valueOf(reader), valueOf(reader)];
  const causes = reader.list(() => {
    const [code, text] = CAUSES[reader.byte()];
    const parameters = parametersOf(reader);
    return { code, parameters, text: filled(text, parameters) };
  });
  const number = NUMBERS[stepCode];
  return {
    step: typeof number === "string" ? number : number[subject], stepCode, title, status, reasonCode, reasonDetail,
    reason: reasonCode && reasonText(reasonCode, reasonDetail), expected: expectedValue && expectedValue.text,
    received: receivedValue && receivedValue.text, expectedValue, receivedValue, causes,
  };
}

export function reportText({ subject, steps }) {
  const marks = { passed: "ok    ", failed: "FAILED", notRun: "not run" };
  const lines = [`Diagnostic report (not a verification): ${subject}.`];
  for (const { step, title, status, expected, received, causes } of steps) {
    lines.push(`${marks[status]} ${step}: ${title}`);
    if (expected !== null) lines.push(`       expected: ${expected}`);
    if (received !== null) lines.push(`       received: ${received}`);
    for (const { text } of causes) lines.push(`       likely: ${text}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

function valueOf(reader) {
  const number = reader.byte();
  if (number === 0) return null;
  const [code, text] = VALUES[number];
  const parameters = parametersOf(reader);
  return { code, parameters, text: code === "plain" ? parameters.map(textOf).join(" ") : filled(text, parameters) };
}

function filled(text, parameters) {
  const [first, ...rest] = text.split("%");
  return first + rest.map((part, index) => textOf(parameters[index]) + part).join("");
}

/** Reads the bytes of a report, as ReportWriter.swift writes them. */
class Reader {
  #view;
  #offset = 0;

  constructor(bytes) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  byte() {
    return this.#view.getUint8(this.#offset++);
  }

  /** Reads a little-endian number of `size` bytes. */
  number(size) {
    let number = 0n;
    for (let index = 0; index < size; index += 1) number |= BigInt(this.byte()) << BigInt(8 * index);
    return number;
  }

  signed() {
    return BigInt.asIntN(64, this.number(8));
  }

  bytes() {
    return Uint8Array.from({ length: Number(this.number(2)) }, () => this.byte());
  }

  list(item) {
    return Array.from({ length: this.byte() }, item);
  }
}

const parametersOf = (reader) => reader.list(() => PARAMETERS[reader.byte()](reader));

const PARAMETERS = [
  undefined,
  (reader) => ({ number: Number(reader.signed()) }),
  (reader) => ({ text: textFrom(reader.bytes()) }),
  (reader) => ({ words: textFrom(reader.bytes()) }),
  (reader) => ({ hash: hexadecimal(reader.bytes()), count: Number(reader.number(8)) }),
  (reader) => ({ time: Number(reader.signed()) }),
  (reader) => ({ duration: Number(reader.signed()) }),
  (reader) => ({ environment: ENVIRONMENT_NAMES[Number(reader.signed())] }),
  (reader) => ({ build: hexadecimal(reader.bytes()), type: reader.byte() }),
  (reader) => ({ version: [reader, reader, reader].map((each) => Number(each.number(2))) }),
  () => ({ unnamed: true }),
  () => ({ data: "challenge" }),
  () => ({ data: "client data" }),
  (reader) => ({ anyOf: parametersOf(reader), more: Number(reader.number(8)) }),
];

const TEXTS = {
  number: ({ number }) => String(number),
  text: ({ text }) => printable(text),
  words: ({ words }) => words,
  hash: ({ hash, count }) => `${hash}${count > hash.length / 2 ? "…" : ""} (${count} bytes)`,
  time: ({ time }) => moment(time),
  duration: ({ duration }) => distance(duration),
  environment: ({ environment }) => environment,
  build: ({ build, type }) => (type === 2 ? build : `type ${type}: ${build}`),
  version: ({ version: [major, minor, patch] }) => `${major}.${minor}${patch === 0 ? "" : `.${patch}`}`,
  unnamed: () => "a name without a common name",
  data: ({ data }) => data,
  anyOf: ({ anyOf, more }) =>
    anyOf.length === 0 ? "none" : anyOf.map(textOf).join(" or ") + (more > 0 ? ` or ${more} more` : ""),
};

function textOf(parameter) {
  return TEXTS[Object.keys(parameter)[0]](parameter);
}

const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns at most 100 characters, without terminal controls and line ends. */
function printable(text) {
  const shown = Array.from(text).slice(0, 100).map((character) =>
    /[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? `\\u{${character.codePointAt(0).toString(16)}}` : character);
  return `“${shown.join("")}”`;
}

/** Returns `YYYY-MM-DDTHH:MM:SSZ`, or seconds if the year does not have four digits. */
function moment(seconds) {
  if (seconds < -62_167_219_200 || seconds > 253_402_300_799) return `${seconds} s since 1970`;
  return new Date(seconds * 1_000).toISOString().replace(".000Z", "Z");
}

/** Formats a duration in its largest whole unit. */
function distance(seconds) {
  if (seconds >= 2 ** 63) return "an age";
  const [size, unit] = [[86_400, "days"], [3_600, "hours"], [60, "minutes"]].find(([size]) => seconds >= 2 * size) ?? [1, "seconds"];
  return `${Math.trunc(seconds / size)} ${unit}`;
}
