/**
 * Rate limits in the memory of one process: token buckets, one per limit and name. When `capacity` names have buckets,
 * further names of a limit share one. RateLimiter of PureAttestServer, but for its clock.
 */
export class MemoryLimits {
  #buckets = new Map();
  #capacity;

  constructor({ capacity = 65_536 } = {}) {
    this.#capacity = capacity;
  }

  /** Returns the seconds to wait, or null if the request is within the limit. */
  async wait({ action, limit, name, time, burst, perMinute }) {
    const own = `${limit} ${String.fromCharCode(...name)}`;
    const key = this.#buckets.has(own) || this.#buckets.size < this.#capacity ? own : limit;
    // In sixtieths of a request, so that a second adds `perMinute` of them.
    const full = burst * 60;
    const bucket = this.#buckets.get(key) ?? { level: full, time };
    const level = Math.min(bucket.level + Math.max(time - bucket.time, 0) * perMinute, full);
    const now = Math.max(time, bucket.time);
    if (action === "giveBack") {
      this.#buckets.set(key, { level: Math.min(level + 60, full), time: now });
      return null;
    }
    if (level < 60) return Math.ceil((60 - level) / perMinute);
    if (action === "admit") this.#buckets.set(key, { level: level - 60, time: now });
    return null;
  }
}
