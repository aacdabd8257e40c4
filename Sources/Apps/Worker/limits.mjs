/**
 * The counters behind the relying party's limits. If the platform binds a rate limiter under a limit's name, that
 * limiter counts. Otherwise D1 counts signatures by device, and registrations and failures by account, each in a
 * separate row. It counts the unattested tier in a fixed number of rows, and a configured enrolment rate in one row.
 * Without a platform limiter, the other limits are off, because anyone could fill the database if it had a row for each
 * address. The requests that these limits would reject write nothing.
 */

import { encodeURL } from "../../Bindings/JavaScript/RelyingParty/base64.mjs";
import { concatenate } from "../../Bindings/JavaScript/RelyingParty/request-body.mjs";
import { isWhole } from "../../Bindings/JavaScript/Verifier/arguments.mjs";
import { RATES } from "../../Bindings/JavaScript/Generated/server-facts.mjs";

/**
 * A token bucket, in sixtieths of a request. A full bucket contains ?2, and ?4 are added each second. Takes one
 * request, and returns a row if the bucket contained one.
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
 * The limits, by the relying party's names. `name`: the limit's name in the settings. `domain`: the domain of its rows;
 * a limit without a domain is counted only by the platform. `isSettable`: the setting LIMITS may change the rate.
 * `isOwn`: only D1 counts, because a platform's limiter cannot be read without consuming its allowance. For the same
 * reason, the relying party's check already consumes the allowance of ENROLMENTS (`takes`). The global enrolment rate
 * is applied after this check and before the admission, so a client over its limit does not consume from that rate.
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
/** The number of seconds after which a client may retry, if a platform's limiter has rejected the request. */
const PERIOD = 60;

/**
 * Returns the relying party's rates, from the setting LIMITS. The relying party does not count the requests of an
 * address, because the handler already does so on every route.
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
  if (![burst, perMinute].every((value) => isWhole(value, 1, MAXIMUM))) {
    throw new TypeError(`LIMITS.${name}: false, or burst and perMinute from 1 to ${MAXIMUM}`);
  }
  return { burst, perMinute };
}

/**
 * Returns the counters, with the bindings of one request. `secret` keys the hash that assigns networks to rows of the
 * unattested tier.
 */
export const limitsOf = (env, secret) => ({
  /** Returns the seconds to wait until the bucket admits a request again, or null if the request is within the limit. */
  async wait({ action, limit, name, time, burst, perMinute }) {
    const { name: setting, domain, isOwn, takes = "admit" } = LIMITS[limit];
    const binding = isOwn ? undefined : env[`${setting}_LIMITER`];
    if (binding) return action !== takes || (await binding.limit({ key: encodeURL(name) })).success ? null : PERIOD;
    const statement = { admit: TAKE, check: HAS_ONE }[action];
    if (domain === undefined || !statement) return null;
    const row = Uint8Array.of(domain, ...(domain === UNATTESTED ? await sharedRow(secret, name) : name)).buffer;
    return (await env.DB.prepare(statement).bind(row, burst * 60, time, perMinute).first()) ? null : Math.ceil(60 / perMinute);
  },
});

/**
 * Returns one of 1,024 rows, which networks share, so the whole tier has 1,024 allowances. Without the secret, a client
 * could choose a network that shares the row of another client.
 */
async function sharedRow(secret, network) {
  const [high, low] = new Uint8Array(await crypto.subtle.digest("SHA-256", concatenate([secret, network])));
  return [high & 3, low];
}

/** Removes full buckets, which equal missing ones, and returns their number. */
export async function removeFull(database, rates, time, count) {
  // Assume at least one second, because the bucket of the enrolment rate refills within a second.
  const refills = Object.values(rates).filter((rate) => rate).map(({ burst, perMinute }) => (burst * 60) / perMinute);
  const longest = Math.ceil(Math.max(...refills, 1));
  return (await database.prepare(REMOVE_FULL).bind(time - longest, count).run()).results.length;
}
