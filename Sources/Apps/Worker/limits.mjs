/**
 * The counters behind the relying party's limits. A rate limiter that the platform binds under a limit's name counts
 * for that limit. Otherwise D1 counts signatures by device, and registrations and failures by account, each in its own
 * row. It counts the unattested tier in a fixed number of rows, and a configured enrolment rate in one. The other
 * limits are then off: a row per address would let anyone fill the database, and the requests that they limit write
 * nothing.
 */

import { encodeURL } from "../../Bindings/JavaScript/base64.mjs";
import { concatenate } from "../../Bindings/JavaScript/request-body.mjs";
import { RATES } from "../../Bindings/JavaScript/server-facts.mjs";

/**
 * A token bucket, in sixtieths of a request: ?2 when full, ?4 more each second. Returns a row if the bucket contained a
 * request.
 */
const TAKE = `INSERT INTO allowances (name, level, time) VALUES (?1, ?2 - 60, ?3)
ON CONFLICT (name) DO UPDATE SET level = min(level + max(?3 - time, 0) * ?4, ?2) - 60, time = max(time, ?3)
WHERE min(level + max(?3 - time, 0) * ?4, ?2) >= 60
RETURNING level;`;

const HAS_ONE = `SELECT 1 WHERE NOT EXISTS (
    SELECT 1 FROM allowances WHERE name = ?1 AND min(level + max(?3 - time, 0) * ?4, ?2) < 60
);`;

const REMOVE_FULL = `DELETE FROM allowances
WHERE name IN (SELECT name FROM allowances WHERE time <= ?1 ORDER BY time LIMIT ?2) RETURNING name;`;

/**
 * The limits by the relying party's names. `name`: in the settings. `domain`: of its rows; without it only the platform
 * counts. `isSettable`: LIMITS of the settings may change its rate. `isOwn`: only D1 counts, because a platform's
 * limiter cannot be read without consuming its allowance. For the same reason the relying party's check consumes the
 * allowance of ENROLMENTS (`takes`). The global enrolment rate comes between the check and the admission, so a client
 * over its limit does not consume from that rate.
 */
const LIMITS = {
  requestsPerClientAddress: { name: "SOURCES" },
  sessionRequestsPerKey: { name: "REQUESTS" },
  enrolmentsPerClientAddress: { name: "ENROLMENTS", takes: "check" },
  authenticationsPerKey: { name: "KEYS", domain: 1, isSettable: true },
  unattestedRequestsPerClientAddress: { name: "UNATTESTED", domain: 2, isSettable: true },
  enrolmentsPerAccount: { name: "REGISTRATIONS", domain: 3, isSettable: true, isOwn: true },
  failuresPerAccount: { name: "FAILURES", domain: 4, isSettable: true, isOwn: true },
  enrolmentRate: { name: "PACE", domain: 5 },
};
const UNATTESTED = 2;
const MAXIMUM = 1_000_000;
/** The seconds after which a client may ask a platform's limiter again. */
const PERIOD = 60;

/**
 * Returns the relying party's rates from LIMITS of the settings. The handler counts the requests of an address, on every
 * route, so the relying party does not.
 */
export function ratesOf(options = {}) {
  if (typeof options !== "object" || options === null) throw new TypeError("LIMITS: an object");
  const limits = Object.entries(LIMITS).filter(([, { isSettable }]) => isSettable);
  const names = limits.map(([, { name }]) => name);
  for (const name of Object.keys(options)) if (!names.includes(name)) throw new TypeError(`LIMITS.${name}: one of ${names.join(", ")}`);
  const rates = limits.map(([limit, { name }]) => [limit, options[name] === undefined ? RATES[limit] : rateOf(name, options[name])]);
  return { requestsPerClientAddress: null, ...Object.fromEntries(rates) };
}

function rateOf(name, option) {
  if (option === false) return null;
  const { burst, perMinute } = option ?? {};
  if (![burst, perMinute].every((value) => Number.isSafeInteger(value) && value >= 1 && value <= MAXIMUM)) {
    throw new TypeError(`LIMITS.${name}: false, or burst and perMinute from 1 to ${MAXIMUM}`);
  }
  return { burst, perMinute };
}

/** The counters for one request's bindings. `secret`: keys the rows of the unattested tier. */
export class Limits {
  #env;
  #secret;

  constructor(env, secret) {
    this.#env = env;
    this.#secret = secret;
  }

  /** Returns the seconds to wait, or null if the request is within the limit. */
  async wait({ action, limit, name, time, burst, perMinute }) {
    const { name: setting, domain, isOwn, takes = "admit" } = LIMITS[limit];
    const binding = isOwn ? undefined : this.#env[`${setting}_LIMITER`];
    if (binding) return action !== takes || (await binding.limit({ key: encodeURL(name) })).success ? null : PERIOD;
    const statement = { admit: TAKE, check: HAS_ONE }[action];
    if (domain === undefined || !statement) return null;
    const row = Uint8Array.of(domain, ...(domain === UNATTESTED ? await this.#sharedRow(name) : name)).buffer;
    // After this wait, the bucket admits one request again.
    return (await this.#env.DB.prepare(statement).bind(row, burst * 60, time, perMinute).first()) ? null : Math.ceil(60 / perMinute);
  }

  /**
   * Returns one of 1,024 rows, which networks share, so the whole tier has 1,024 allowances. The secret keeps clients
   * from choosing a network that shares another client's row.
   */
  async #sharedRow(network) {
    const [high, low] = new Uint8Array(await crypto.subtle.digest("SHA-256", concatenate(this.#secret, network)));
    return [high & 3, low];
  }
}

/** Removes full buckets, which carry no information, and returns their number. */
export async function removeFull(database, rates, time, count) {
  // Use at least one second, because the bucket of the enrolment rate refills within a second.
  const refills = Object.values(rates).filter((rate) => rate).map(({ burst, perMinute }) => (burst * 60) / perMinute);
  const longest = Math.ceil(Math.max(...refills, 1));
  return (await database.prepare(REMOVE_FULL).bind(time - longest, count).run()).results.length;
}
