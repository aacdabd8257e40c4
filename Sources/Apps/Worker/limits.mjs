/**
 * Rate limits. If the platform binds a rate limiter with the limit's name, it counts. Otherwise D1 counts signatures by
 * device, and registrations and failures by account, each in its own row. It counts the unattested tier in a fixed
 * number of rows, and a configured enrolment rate in one. The other limits are then off: a row per address would let
 * anyone fill the database, and the requests that they limit write nothing.
 */

import { encodeURL } from "./base64.mjs";
import { hmac } from "./keys.mjs";
import { Refusal } from "./refusal.mjs";

/**
 * A token bucket, in sixtieths of a request: ?2 when full, ?4 more each second. Returns a row if the bucket contained a
 * request.
 */
const TAKE = `INSERT INTO allowances (name, level, time) VALUES (?1, ?2 - 60, ?3)
ON CONFLICT (name) DO UPDATE SET level = min(level + max(?3 - time, 0) * ?4, ?2) - 60, time = max(time, ?3)
WHERE min(level + max(?3 - time, 0) * ?4, ?2) >= 60
RETURNING level;`;

/** Returns a row if the bucket is empty. */
const IS_EMPTY = `SELECT 1 FROM allowances WHERE name = ?1 AND min(level + max(?3 - time, 0) * ?4, ?2) < 60;`;

const REMOVE_FULL = `DELETE FROM allowances
WHERE name IN (SELECT name FROM allowances WHERE time <= ?1 ORDER BY time LIMIT ?2) RETURNING name;`;

/**
 * The limits by name, with the defaults of RelyingPartyConfiguration.Limits. Without a domain only the platform counts.
 * `isOwn`: only D1 counts, because a platform's limiter cannot be read without taking from it.
 */
const LIMITS = {
  SOURCES: {},
  REQUESTS: {},
  ENROLMENTS: {},
  KEYS: { domain: 1, burst: 20, perMinute: 20 },
  UNATTESTED: { domain: 2, burst: 10, perMinute: 10 },
  REGISTRATIONS: { domain: 3, burst: 10, perMinute: 1, isOwn: true },
  FAILURES: { domain: 4, burst: 20, perMinute: 1, isOwn: true },
  PACE: { domain: 5 },
};
const MAXIMUM = 1_000_000;
/** A domain that challenge.mjs does not use. */
const ROW = Uint8Array.of(3);

/**
 * The limits of a Worker. `options` is LIMITS of its settings; `enrolmentRate` is the number of new keys per second, if
 * limited.
 */
export class Limits {
  #limits = {};

  constructor(options = {}, enrolmentRate) {
    if (typeof options !== "object" || options === null) throw new TypeError("LIMITS: an object");
    for (const name of Object.keys(options)) {
      if (!LIMITS[name]?.burst) throw new TypeError(`LIMITS.${name}: one of KEYS, UNATTESTED, REGISTRATIONS, FAILURES`);
    }
    for (const [name, standard] of Object.entries(LIMITS)) {
      const limit = options[name] === undefined ? standard : { ...standard, ...numbers(name, options[name]) };
      this.#limits[name] = name === "PACE" && enrolmentRate ? { ...limit, burst: enrolmentRate, perMinute: enrolmentRate * 60 } : limit;
    }
  }

  /** Takes one request from the allowance of `name`, which D1 counts in the row `row`. */
  async admit(env, limit, name, now, row = name) {
    const { isOwn, isOff, domain, burst, perMinute } = this.#limits[limit];
    if (isOff) return;
    const binding = isOwn ? undefined : env[`${limit}_LIMITER`];
    if (binding) {
      const { success } = await binding.limit({ key: encodeURL(name) });
      if (!success) throw new Refusal("rateLimited", { retryAfter: 60 });
    } else if (burst) {
      const isAdmitted = await env.DB.prepare(TAKE).bind(bucket(domain, row), burst * 60, now, perMinute).first();
      if (!isAdmitted) throw tooMany(perMinute);
    }
  }

  /** Throws the same errors as `admit` without counting the request, for limits that only D1 counts. */
  async check(env, limit, name, now) {
    const { isOff, domain, burst, perMinute } = this.#limits[limit];
    if (isOff) return;
    if (await env.DB.prepare(IS_EMPTY).bind(bucket(domain, name), burst * 60, now, perMinute).first()) throw tooMany(perMinute);
  }

  /**
   * Takes one request of the unattested tier from a network's allowance. D1 counts it in one of 1,024 rows, which
   * networks share, so the whole tier has 1,024 allowances. The key keeps clients from choosing a network that shares
   * another client's row.
   */
  async admitUnattested({ env, keys, now }, network) {
    const [high, low] = await hmac(keys[0].challenges, ROW, network);
    await this.admit(env, "UNATTESTED", network, now, Uint8Array.of(high & 3, low));
  }

  /** Counts an object that does not verify. An account with repeated failures has to wait. */
  async noteFailure(env, account, now) {
    try {
      if (account) await this.admit(env, "FAILURES", account, now);
    } catch (excess) {
      // The account waits already.
      if (excess.reason !== "rateLimited") throw excess;
    }
  }

  /** Removes full buckets, which carry no information, and returns their number. */
  async removeFull(env, now, count) {
    const refills = Object.values(this.#limits).filter(({ burst }) => burst).map(({ burst, perMinute }) => (burst * 60) / perMinute);
    const longest = Math.ceil(Math.max(...refills));
    return (await env.DB.prepare(REMOVE_FULL).bind(now - longest, count).run()).results.length;
  }
}

function numbers(name, option) {
  if (option === false) return { isOff: true };
  for (const member of ["burst", "perMinute"]) {
    const value = option?.[member];
    if (!Number.isSafeInteger(value) || value < 1 || value > MAXIMUM) {
      throw new TypeError(`LIMITS.${name}: false, or burst and perMinute from 1 to ${MAXIMUM}`);
    }
  }
  return { burst: option.burst, perMinute: option.perMinute };
}

const bucket = (domain, name) => Uint8Array.of(domain, ...name).buffer;
/** By then the bucket contains a request again. */
const tooMany = (perMinute) => new Refusal("rateLimited", { retryAfter: Math.ceil(60 / perMinute) });
