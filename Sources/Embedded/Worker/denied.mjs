/** Session tokens that this isolate saw denied: presenting one again asks nothing of the database. */

import { encodeURL } from "./base64.mjs";

/** About 2 MB. */
const CAPACITY = 10_000;

/**
 * No denied token becomes good again: it was consumed, it was ended, or its key was revoked. So it is remembered by its own identifier until
 * it expires, and then refused for that. It is not remembered by its key, which may hold other tokens that are good.
 */
export class DeniedTokens {
  #reasons = new Map();

  /** The reason of the refusal; undefined for a token that nobody denied here. */
  reasonOf(id) {
    return this.#reasons.get(encodeURL(id));
  }

  /** The oldest entry makes room: tokens last equally long, so it expires first. A forgotten token costs one more look at the database. */
  add(id, reason) {
    if (this.#reasons.size >= CAPACITY) this.#reasons.delete(this.#reasons.keys().next().value);
    this.#reasons.set(encodeURL(id), reason);
  }

  get count() {
    return this.#reasons.size;
  }
}
