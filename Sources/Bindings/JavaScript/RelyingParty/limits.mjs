/**
 * Rate limits in the memory of one process: a token bucket for each limit and name, like PureAttestServer's RateLimiter.
 * Types: limits.d.mts.
 */

import { membersOf, limitOf } from "../Verifier/arguments.mjs";

/** Levels are in sixtieths of a request, so that a second adds `perMinute` of them. */
const REQUEST = 60;

export class MemoryLimits {
  #tables = new Map();
  #capacity;

  constructor(options = {}) {
    const { capacity = 65_536 } = membersOf(options, "options", ["capacity"]);
    this.#capacity = Math.max(limitOf(capacity, "capacity"), 1);
  }

  async wait({ action, limit, name, time, burst, perMinute }) {
    if (!this.#tables.has(limit)) this.#tables.set(limit, new Table(this.#capacity));
    return this.#tables.get(limit).wait(action, String.fromCharCode(...name), time, { full: burst * REQUEST, perMinute });
  }
}

class Table {
  #capacity;
  #buckets = new Map();
  /** The bucket of all names that have none, if the table is full. */
  #overflow;
  #clock = new LimiterClock();
  #swept;

  constructor(capacity) {
    this.#capacity = capacity;
  }

  wait(action, name, time, rate) {
    this.#clock.advance(time);
    if (action === "giveBack") {
      const bucket = this.#buckets.get(name);
      if (bucket) this.#buckets.set(name, this.#bucket(Math.min(this.#level(bucket, rate) + REQUEST, rate.full)));
      return null;
    }
    if (!this.#buckets.has(name) && this.#buckets.size >= this.#capacity) this.#sweep(rate);
    const isNamed = this.#buckets.has(name) || this.#buckets.size < this.#capacity;
    const level = this.#level(isNamed ? this.#buckets.get(name) : this.#overflow, rate);
    const isAdmitted = level >= REQUEST;
    if (action === "admit") {
      const bucket = this.#bucket(isAdmitted ? level - REQUEST : level);
      if (isNamed) this.#buckets.set(name, bucket);
      else this.#overflow = bucket;
    }
    return isAdmitted ? null : Math.ceil((REQUEST - level) / rate.perMinute);
  }

  #bucket(level) {
    return { level, time: this.#clock.elapsed };
  }

  #level(bucket, { full, perMinute }) {
    return bucket ? Math.min(bucket.level + (this.#clock.elapsed - bucket.time) * perMinute, full) : full;
  }

  /** Forgets full buckets, at most once a second, because it takes time proportional to the table's size. */
  #sweep(rate) {
    if (this.#swept === this.#clock.elapsed) return;
    this.#swept = this.#clock.elapsed;
    for (const [name, bucket] of this.#buckets) if (this.#level(bucket, rate) >= rate.full) this.#buckets.delete(name);
  }
}

/** The maximum lag behind the latest time, in seconds, that counts as a call out of order. */
const ORDINARY_LAG = 60;

/**
 * A monotonic clock, the sum of the forward steps of the calls' times: LimiterClock of PureAttestServer. Times out of
 * order neither refill buckets repeatedly nor keep them empty for longer than ORDINARY_LAG.
 */
class LimiterClock {
  elapsed = 0;
  #latest;
  /** The latest time before the clock was set back. */
  #left;

  advance(now) {
    this.#latest ??= now;
    if (this.#left !== undefined && now >= this.#left) {
      // The time up to `left` was already counted before the clock was set back.
      this.#move(this.#left, now);
      this.#left = undefined;
    } else if (now >= this.#latest) {
      this.#move(this.#latest, now);
    } else if (this.#latest - now > ORDINARY_LAG) {
      this.#left = this.#latest;
      this.#latest = now;
    }
  }

  #move(start, end) {
    this.elapsed += end - start;
    this.#latest = end;
  }
}
