/** The answers to rejections by the relying party and by this HTTP server (RequestFault of the service). */

import { Refusal } from "../../Bindings/JavaScript/relying-party.mjs";

/** Why a request was rejected before the relying party read it. `code` is the word for the client. */
export class Fault extends Error {
  constructor(reason, { status, code = reason, step = "input", detail, retryAfter }) {
    super(detail ? `${reason} (${detail})` : reason);
    Object.assign(this, { name: "Fault", reason, status, code, step, retryAfter });
  }

  static malformed(detail) {
    return new Fault("malformedRequest", { status: 400, detail });
  }

  static tooLarge() {
    return new Fault("tooLarge", { status: 413 });
  }
}

/** An invalid option of the Worker, not of a client. */
export class Misconfiguration extends Error {}

/** Returns the status, word and log entry for a route's error. */
export function answerTo(error) {
  if (error instanceof Refusal && error.reason === "malformedRequest") return answerTo(Fault.malformed());
  if (error instanceof Refusal || error instanceof Fault) {
    const { status, code: word, step, message: reason, retryAfter, balance } = error;
    return { status, word, step, reason, retryAfter, balance, keyID: error.keyID };
  }
  const step = error instanceof Misconfiguration ? "configuration" : "server";
  return { status: 503, word: "serverUnavailable", step, reason: String(error?.message ?? error).slice(0, 500) };
}
