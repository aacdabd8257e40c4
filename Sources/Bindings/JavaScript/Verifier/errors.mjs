/** Errors of a module. */

import { CERTIFICATE_REASONS, REASONS } from "../Generated/reasons.mjs";

/** The reason of a rejection: `code` names the broken rule, `detail` the broken X.509 rule of a certificate. */
export class RefusedError extends Error {
  constructor(number) {
    const code = REASONS[number & 0xff] ?? (number === 254 ? "malformedArgument" : "unknown");
    const detail = CERTIFICATE_REASONS[number >> 8];
    super(`App Attest object refused: ${code}${detail ? ` (${detail})` : ""}`);
    this.name = "RefusedError";
    this.code = code;
    this.detail = detail;
  }
}

/** Each later call throws this error after an instance trapped, or ran out of memory or stack: its state is unknown. */
export class BrokenInstanceError extends Error {
  constructor() {
    super("this instance trapped before; make a new one");
    this.name = "BrokenInstanceError";
  }
}
