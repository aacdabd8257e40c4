/** The answers to requests that the relying party or this HTTP server rejects (RequestFault of the service). */

import { Refusal } from "../../Bindings/JavaScript/RelyingParty/relying-party.mjs";

/** The reason why a request was rejected before the relying party received it. `code` is the word for the client. */
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

/** An invalid setting of the Worker, which is not a client's fault. */
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
