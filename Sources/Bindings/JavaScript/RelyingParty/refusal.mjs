/** Returns the headers that every response to a rejected request contains. */
export function refusalHeaders({ status, retryAfter }) {
  return {
    ...(typeof retryAfter === "number" && { "retry-after": String(retryAfter) }),
    // RFC 9110 §15.5.2: a 401 response must name an authentication scheme.
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  };
}

/** The reason why a relying party or its purchases rejected a request, and the response for the client. */
export class Refusal extends Error {
  constructor({ reason, detail, step, status, code, retryAfter, balance = null, keyID }) {
    super(detail ? `${reason} (${detail})` : reason);
    this.name = "Refusal";
    this.reason = reason;
    this.detail = detail;
    /** The key that the request is about, if it is known. Only for logs. */
    this.keyID = keyID;
    this.step = step;
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.balance = balance;
  }
}
