/** Reports on each step of a verification, for support pages and logs. A report is not a verification. */

import type { Bytes, PureAttest, Time } from "./pure-attest.mjs";

/** A parameter of a report's text. */
export type Parameter =
  | { number: number }
  /** Text from the object: anyone may have written it. */
  | { text: string }
  /** A name that Apple defines. */
  | { words: string }
  /** The first bytes of a hash, in hexadecimal, and its length in bytes. */
  | { hash: string; count: number }
  /** Seconds since 1970. */
  | { time: number }
  /** Seconds. */
  | { duration: number }
  | { environment: "production" | "development" }
  | { build: string; type: number }
  | { version: [number, number, number] }
  /** A distinguished name without a common name. */
  | { unnamed: true }
  /** The data that was hashed. */
  | { data: "challenge" | "client data" }
  /** Any of several values: those in the list, and `more` others. */
  | { anyOf: Parameter[]; more: number };

/** A code, the parameters of its text, and the text in English. Codes never change. */
export interface Phrase {
  code: string;
  parameters: Parameter[];
  text: string;
}

export interface Step {
  /** Apple's number of the step, or a word if Apple has none. */
  step: string;
  /** The comparison that the step makes: "certifiedNonce" … */
  stepCode: string;
  title: string;
  /** "notRun": the compared values could not be read. */
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
  /** Usual causes of this failure, the likeliest first. Causes that can be tested on the object were tested. */
  causes: Phrase[];
}

/**
 * All steps in Apple's order, including the steps after a failed step. "passed" describes only the one step. Safe to log:
 * a report contains no keys, challenges, client data or signatures, and no control characters from the object.
 */
export interface Report {
  subject: "attestation" | "assertion" | "receipt";
  /** The owner of the trusted roots. */
  authority: "apple" | "test";
  steps: Step[];
}

/**
 * Explains the verdict of `verifyAttestation`. Throws a `TypeError` unless the verifier's module is
 * PureAttestExplainWasm.wasm. Accepts objects and key identifiers up to 1 MiB, to explain that they are too large.
 */
export function explainAttestation(
  verifier: PureAttest,
  object: { attestation: Bytes; keyID: Bytes; now?: Time }
    & ({ challenge: Bytes; clientDataHash?: undefined } | { clientDataHash: Bytes; challenge?: undefined }),
): Report;

/** Reports on the receipt in an attestation. Throws a `RefusedError` unless the attestation verifies. */
export function explainAttestedReceipt(
  verifier: PureAttest,
  object: { attestation: Bytes; keyID: Bytes; now?: Time }
    & ({ challenge: Bytes; clientDataHash?: undefined } | { clientDataHash: Bytes; challenge?: undefined }),
): Report;

/** Explains the verdict of `verifyAssertion`. Throws a `RefusedError` for an unreadable key record. */
export function explainAssertion(
  verifier: PureAttest,
  object: { assertion: Bytes; clientData: Bytes; challenge: Bytes | null; keyRecord: Bytes; now?: Time },
): Report;

/**
 * Explains the verdict of `verifyReceipt`. Throws a `RefusedError` if the receipt is not signed data, or if the key
 * record is unreadable.
 */
export function explainReceipt(
  verifier: PureAttest,
  object: { receipt: Bytes; keyRecord: Bytes; now?: Time; maximumAge?: number | null },
): Report;

/** Formats a report as the command line tool does, one line for each step. */
export function reportText(report: Report): string;
