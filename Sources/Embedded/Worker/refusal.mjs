/** Why requests are refused, where, and what clients learn of it: Refusal and HTTPAnswer of PureAttestServer. */

import { RefusedError } from "../JavaScript/pure-attest.mjs";

/** Reasons of this side, each with its step; those of the verifier are of the step "verification". */
const STEPS = {
  malformedRequest: "input",
  rateLimited: "limits",
  contended: "limits",
  challengeNotIssued: "challenge",
  challengeSpent: "challenge",
  challengeExpired: "challenge",
  challengeOfOtherPurpose: "challenge",
  challengeOfOtherKey: "challenge",
  challengeOfOtherAccount: "challenge",
  unknownKey: "key",
  revokedKey: "key",
  keyOfOtherAccount: "key",
  keyOfOtherEnvironment: "key",
  invalidToken: "session",
  expiredToken: "session",
  tokenOfOtherEnvironment: "session",
  tokenOfOtherAudience: "session",
  deniedToken: "session",
};

/** The device may be accepted with a new key: the server does not know this one, or what was known of it is what the policies refuse. */
const REPAIRED_BY_ATTESTING = [
  "unknownKey", "keyTooOld", "systemVersionNotAllowed", "systemBuildNotAllowed", "prereleaseNotAllowed", "counterStepTooLarge",
];
/** A challenge or counter was used before, or the challenge is one that a new one replaces. */
const REPLAYS = ["challengeSpent", "challengeExpired", "challengeNotIssued", "counterNotIncreased", "counterReplayed"];

export class Refusal extends Error {
  constructor(reason, { detail, retryAfter } = {}) {
    super(detail ? `${reason} (${detail})` : reason);
    this.name = "Refusal";
    this.reason = reason;
    this.step = STEPS[reason] ?? "verification";
    this.retryAfter = retryAfter;
  }

  static of(error) {
    return error instanceof RefusedError ? new Refusal(error.code, { detail: error.detail }) : error;
  }
}

/** The Worker's own options are wrong: nothing that a client sent. */
export class Misconfiguration extends Error {}

/** Status, word and log entry for what a route threw. */
export function answerTo(error, policy) {
  if (!(error instanceof Refusal)) {
    const step = error instanceof Misconfiguration ? "configuration" : "server";
    return { status: 503, code: "serverUnavailable", step, reason: String(error?.message ?? error) };
  }
  const { reason, step, retryAfter } = error;
  const told = (status, code) => ({ status, code, step, reason: error.message, retryAfter });
  if (reason === "rateLimited" || reason === "contended") return told(429, "tooManyRequests");
  if (reason === "malformedRequest") return told(400, "refused");
  if (policy === "uniform") return told(401, "refused");
  if (REPAIRED_BY_ATTESTING.includes(reason)) return told(401, "unknownKey");
  if (REPLAYS.includes(reason)) return told(409, "replay");
  return told(401, "refused");
}
