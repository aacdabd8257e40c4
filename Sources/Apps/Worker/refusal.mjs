/**
 * The reasons and steps of rejections, and the answers that clients get: Refusal and HTTPAnswer of PureAttestServer,
 * RequestFault of the service.
 */

import { RefusedError } from "../../Bindings/JavaScript/pure-attest.mjs";

/** The Worker's own reasons, each with its step; the verifier's reasons have the step "verification". */
const STEPS = {
  malformedRequest: "input",
  tooLarge: "input",
  unsupportedMediaType: "input",
  rateLimited: "limits",
  contended: "limits",
  budgetSpent: "limits",
  enrolmentDeferred: "enrolment",
  challengeNotIssued: "challenge",
  challengeConsumed: "challenge",
  challengeExpired: "challenge",
  challengeOfOtherPurpose: "challenge",
  challengeOfOtherKey: "challenge",
  challengeOfOtherAccount: "challenge",
  unknownKey: "key",
  revokedKey: "key",
  keyOfOtherAccount: "key",
  invalidToken: "session",
  expiredToken: "session",
  tokenOfOtherEnvironment: "session",
  tokenOfOtherAudience: "session",
  deniedToken: "session",
  tokenConsumed: "session",
};

/** Answers that reveal nothing about keys, sent under any policy. */
const TOLD = {
  malformedRequest: [400, "malformedRequest"],
  tooLarge: [413, "tooLarge"],
  unsupportedMediaType: [415, "unsupportedMediaType"],
  rateLimited: [429, "tooManyRequests"],
  contended: [429, "tooManyRequests"],
  budgetSpent: [429, "budgetSpent"],
  enrolmentDeferred: [429, "enrolLater"],
};

/**
 * The device may be accepted with a new key: the server does not know this key, or policies reject its recorded
 * properties.
 */
const REPAIRED_BY_ATTESTING = [
  "unknownKey", "keyTooOld", "systemVersionNotAllowed", "systemBuildNotAllowed", "prereleaseNotAllowed", "counterStepTooLarge",
];
/** The next step of a client whose request is not the first; see HTTPAnswer.Code. */
const CONFLICTS = {
  // This request was accepted, or another one with its challenge or token.
  challengeConsumed: "consumed",
  tokenConsumed: "consumed",
  // Another assertion of the key was accepted first: this request was not carried out and never will be. It may be
  // signed again.
  counterNotIncreased: "overtaken",
  counterReplayed: "overtaken",
  // A new challenge replaces this one. An earlier delivery may or may not have been carried out.
  challengeExpired: "replay",
  challengeNotIssued: "replay",
};

export class Refusal extends Error {
  /** `told`: further members of the answer, which belong to the device itself. */
  constructor(reason, { detail, retryAfter, told } = {}) {
    super(detail ? `${reason} (${detail})` : reason);
    this.name = "Refusal";
    this.reason = reason;
    this.step = STEPS[reason] ?? "verification";
    this.retryAfter = retryAfter;
    this.told = told;
  }

  static of(error) {
    return error instanceof RefusedError ? new Refusal(error.code, { detail: error.detail }) : error;
  }
}

/** An invalid option of the Worker, not of a client. */
export class Misconfiguration extends Error {}

/** Returns the status, word and log entry for a route's error. */
export function answerTo(error, policy) {
  if (!(error instanceof Refusal)) {
    const step = error instanceof Misconfiguration ? "configuration" : "server";
    return { status: 503, word: "serverUnavailable", step, reason: String(error?.message ?? error).slice(0, 500) };
  }
  const { reason, step, retryAfter, told } = error;
  const [status, word] = TOLD[reason] ?? wordFor(reason, policy);
  return { status, word, step, reason: error.message, retryAfter, told };
}

function wordFor(reason, policy) {
  if (policy === "uniform") return [401, "refused"];
  if (REPAIRED_BY_ATTESTING.includes(reason)) return [401, "unknownKey"];
  return Object.hasOwn(CONFLICTS, reason) ? [409, CONFLICTS[reason]] : [401, "refused"];
}
