/** Session tokens that this isolate saw denied: presenting one again costs no database query. */

import { encodeURL } from "./base64.mjs";

/** About 2 MB. */
const CAPACITY = 10_000;

/**
 * A denied token never becomes valid again: it was consumed or ended, or its key was revoked. Each token is remembered
 * by its own identifier until it expires, and is then rejected as expired. The key is not remembered, because its other
 * tokens may be valid.
 */
export class DeniedTokens {
  #reasons = new Map();

  /** Returns the reason of the rejection; undefined if this isolate did not deny the token. */
  reasonOf(id) {
    return this.#reasons.get(encodeURL(id));
  }

  /**
   * Evicts the oldest entry, which expires first because all tokens live equally long. An evicted token costs one more
   * database query.
   */
  add(id, reason) {
    if (this.#reasons.size >= CAPACITY) this.#reasons.delete(this.#reasons.keys().next().value);
    this.#reasons.set(encodeURL(id), reason);
  }

  get count() {
    return this.#reasons.size;
  }
}
