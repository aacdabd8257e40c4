/** What each step of a verification found: for support pages and logs. A report is not a verification. */

import type { Bytes, PureAttest, Time } from "./pure-attest.mjs";

/** What stands in a text. */
export type Parameter =
  | { number: number }
  /** Text from the object: anybody can have written it. */
  | { text: string }
  /** A name of Apple's. */
  | { words: string }
  /** The first bytes of a hash, in hexadecimal, and how many it has. */
  | { hash: string; count: number }
  /** Seconds since 1970. */
  | { time: number }
  /** Seconds. */
  | { duration: number }
  | { environment: "production" | "development" }
  | { build: string; type: number }
  | { version: [number, number, number] }
  /** A name without a common name. */
  | { unnamed: true }
  /** What was hashed. */
  | { data: "challenge" | "client data" }
  /** One of several, of which the first are listed. */
  | { anyOf: Parameter[]; more: number };

/** A code, what stands in its text, and the text in English. Codes do not change. */
export interface Phrase {
  code: string;
  parameters: Parameter[];
  text: string;
}

export interface Step {
  /** Apple's number of the step, or a word where Apple has none. */
  step: string;
  /** What it compares: "certifiedNonce" … */
  stepCode: string;
  title: string;
  /** "notRun": what it compares could not be read. */
  status: "passed" | "failed" | "notRun";
  /** As {@link RefusedError.code}; null unless the step failed. */
  reasonCode: string | null;
  /** As {@link RefusedError.detail}. */
  reasonDetail: string | null;
  reason: string | null;
  expected: string | null;
  received: string | null;
  expectedValue: Phrase | null;
  receivedValue: Phrase | null;
  /** What usually makes the step fail like this, the likeliest first; those that could be tried out on the object were. */
  causes: Phrase[];
}

/**
 * All steps in Apple's order, also those behind one that failed: "passed" means that this one comparison held. Safe to log: no keys, challenges,
 * client data or signatures, and text from the object without control characters.
 */
export interface Report {
  subject: "attestation" | "assertion" | "receipt";
  /** Whose roots the verifier trusts. */
  authority: "apple" | "test";
  steps: Step[];
}

/**
 * What `verifyAttestation` makes of an attestation. The verifier's module is PureAttestExplainWasm.wasm, or this is a `TypeError`. Objects
 * and key identifiers are taken up to 1 MiB: what is refused for its size is explained as that.
 */
export function explainAttestation(
  verifier: PureAttest,
  object: { attestation: Bytes; keyID: Bytes; now?: Time }
    & ({ challenge: Bytes; clientDataHash?: undefined } | { clientDataHash: Bytes; challenge?: undefined }),
): Report;

/** The report on the receipt in an attestation, which has to verify: else a `RefusedError`. */
export function explainAttestedReceipt(
  verifier: PureAttest,
  object: { attestation: Bytes; keyID: Bytes; now?: Time }
    & ({ challenge: Bytes; clientDataHash?: undefined } | { clientDataHash: Bytes; challenge?: undefined }),
): Report;

/** What `verifyAssertion` makes of an assertion. A key record that can't be read is a `RefusedError`. */
export function explainAssertion(
  verifier: PureAttest,
  object: { assertion: Bytes; clientData: Bytes; challenge: Bytes | null; keyRecord: Bytes; now?: Time },
): Report;

/** What `verifyReceipt` makes of a receipt. One that is not signed data, or a key record that can't be read, is a `RefusedError`. */
export function explainReceipt(
  verifier: PureAttest,
  object: { receipt: Bytes; keyRecord: Bytes; now?: Time; maximumAge?: number | null },
): Report;

/** A line a step, as the command line tool prints it. */
export function reportText(report: Report): string;
