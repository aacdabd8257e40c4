/**
 * How many requests are admitted. Where the platform has a rate limiter, a binding with the limit's name, it counts; where it has none,
 * `keys` and `unattested` are counted in D1. The others are not counted then: a row for each address that asks would let anyone fill the
 * database, and what they protect writes nothing.
 */

import { encodeURL } from "./base64.mjs";
import { Refusal } from "./refusal.mjs";

export const LIMITS_SCHEMA = [
  `CREATE TABLE IF NOT EXISTS allowances (
    name BLOB PRIMARY KEY NOT NULL,
    level INTEGER NOT NULL,
    time INTEGER NOT NULL
) STRICT;`,
  `CREATE INDEX IF NOT EXISTS allowances_by_time ON allowances (time);`,
];

/** A token bucket, in sixtieths of a request: ?2 when full, ?4 more each second; a row if there was one request in it. */
const TAKE = `INSERT INTO allowances (name, level, time) VALUES (?1, ?2 - 60, ?3)
ON CONFLICT (name) DO UPDATE SET level = min(level + max(?3 - time, 0) * ?4, ?2) - 60, time = max(time, ?3)
WHERE min(level + max(?3 - time, 0) * ?4, ?2) >= 60
RETURNING level;`;

const REMOVE_FULL = `DELETE FROM allowances
WHERE name IN (SELECT name FROM allowances WHERE time <= ?1 ORDER BY time LIMIT ?2) RETURNING name;`;

/** By the name of their bindings; those without numbers are only the platform's. */
const LIMITS = {
  SOURCES: {},
  REQUESTS: {},
  KEYS: { domain: 1, burst: 20, perMinute: 20 },
  UNATTESTED: { domain: 2, burst: 10, perMinute: 10 },
};
/** Every bucket of the above is full again after this many seconds, and then says nothing. */
const LONGEST_REFILL = 60;

export async function admit(env, limit, name, now) {
  const binding = env[`${limit}_LIMITER`];
  if (binding) {
    const { success } = await binding.limit({ key: encodeURL(name) });
    if (!success) throw new Refusal("rateLimited", { retryAfter: 60 });
    return;
  }
  const { domain, burst, perMinute } = LIMITS[limit];
  if (!domain) return;
  const bucket = Uint8Array.of(domain, ...name).buffer;
  const row = await env.DB.prepare(TAKE).bind(bucket, burst * 60, now, perMinute).first();
  if (!row) throw new Refusal("rateLimited", { retryAfter: Math.ceil(60 / perMinute) });
}

export async function removeFull(env, now, limit) {
  return (await env.DB.prepare(REMOVE_FULL).bind(now - LONGEST_REFILL, limit).run()).results.length;
}

/** Whom requests without a key are counted for: an IPv4 address, or the /64 of an IPv6 one, which is one subscriber's. */
export function networkOf(address) {
  if (!address?.includes(":")) return address ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head, tail = ""] = address.toLowerCase().split("%")[0].split("::");
  const [first, last] = [head, tail].map((part) => (part === "" ? [] : part.split(":")));
  const middle = address.includes("::") ? Array(Math.max(8 - first.length - last.length, 0)).fill("0") : [];
  return `${[...first, ...middle, ...last].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
