/**
 * A relying party on an edge worker: keys, counters and consumed tokens in D1, authenticated challenges and sessions.
 * It follows RelyingParty of PureAttestServer, with its formats and the routes of the Swift service
 * (Sources/Apps/Service/openapi.json). Times are seconds since 1970; bytes are Base64 in JSON.
 *
 *   POST /challenge   {purpose: "attestation" | "assertion", keyID}   → {challenge, expiresAt}
 *   POST /attest      {keyID, challenge, attestation}                 → {keyID, isNew, token, expiresAt}
 *   POST /session     {keyID, challenge, assertion}                   → {token, expiresAt}
 *   GET  /protected   Authorization: Bearer TOKEN                     → {keyID}
 *   POST /signed      Attest-Key, Attest-Challenge, Attest-Assertion  → {keyID}
 *   POST /generate    as either of these, with a prompt               → the upstream's answer; see generate.mjs
 *   POST /logout      Authorization: Bearer TOKEN                     → 204
 *   POST /unattested                                                  → {token, expiresAt}, of the unattested tier
 *   GET  /open        Authorization: Bearer TOKEN of any tier         → {open}
 *   GET  /health                                                      → {status}
 *   POST /operator/keys, /operator/revoke                             → see operator.mjs
 *
 * A session's client data is the challenge itself. Answers to an authenticated key carry the challenge for its next
 * assertion in the header `Attest-Challenge`. A rejection is one word, `{error}`; only the log has the step and the
 * reason.
 */

import { networkOf } from "./address.mjs";
import { answerSigned, MAXIMUM_SIGNED, openSigned } from "./authentication.mjs";
import { MAXIMUM_BODY, accountOf, membersOf, message, readBytes } from "./body.mjs";
import { MAXIMUM_PROMPT, generate } from "./generate.mjs";
import { answerHealth, answerKeys, revoke } from "./operator.mjs";
import { Refusal, answerTo } from "./refusal.mjs";
import { issueChallenge, register } from "./registration.mjs";
import { runSchedule } from "./schedule.mjs";
import { answerOpen, answerProtected, logOut, openUnattested } from "./sessions.mjs";
import { prepare, prepareCleaning, timeOf } from "./settings.mjs";
import { Store } from "./store.mjs";

/**
 * `maximum`: the largest body in bytes; `members`: the accepted member lists of a message; `needs`: the setting that
 * enables the route.
 */
const ROUTES = {
  "POST /challenge": { run: issueChallenge, maximum: 1_024, members: [["purpose", "keyID"]] },
  "POST /attest": { run: register, maximum: MAXIMUM_BODY, members: [["keyID", "challenge", "attestation"]] },
  "POST /session": { run: openSigned, maximum: 8_192, members: [["keyID", "challenge", "assertion"]] },
  "GET /protected": { run: answerProtected },
  "POST /signed": { run: answerSigned, maximum: MAXIMUM_SIGNED },
  "POST /generate": { run: generate, maximum: MAXIMUM_PROMPT, needs: "generation" },
  "POST /logout": { run: logOut },
  "POST /unattested": { run: openUnattested },
  "GET /open": { run: answerOpen },
  "GET /health": { run: answerHealth },
  "POST /operator/keys": { run: answerKeys, maximum: 1_024, members: [["account"], ["account", "after"]], needs: "operatorToken" },
  "POST /operator/revoke": { run: revoke, maximum: 1_024, members: [["keyID"], ["account"]], needs: "operatorToken" },
};

/**
 * @param {(env: object) => Promise<PureAttest>} makeVerifier called once, and again after a failure or a trap
 * @param {object} surroundings `account` returns the user of a request's login: text, or null. `clientAddress` returns
 * the client address, or null. `risk` receives each newer receipt that Apple sent, with its `riskMetric`, before it is
 * stored
 */
export function createHandler(makeVerifier, {
  clock = () => Math.floor(Date.now() / 1000), log: write = console.log, account = () => null,
  clientAddress = (request) => request.headers.get("cf-connecting-ip"), risk = () => {}, fetch: fetchUpstream = (...args) => fetch(...args),
} = {}) {
  const log = (entry) => write(JSON.stringify(entry));
  let prepared;

  /** Returns the verifier, keys and options. After a failure or a trap the next request creates new ones. */
  async function party(env) {
    const attempt = (prepared ??= prepare(makeVerifier, env));
    const forget = () => { if (prepared === attempt) prepared = undefined; };
    try {
      const party = await attempt;
      if (!party.verifier.isBroken) return party;
    } catch (error) {
      forget();
      throw error;
    }
    forget();
    return party(env);
  }

  async function contextOf(request, env, execution, { route, entry }) {
    const prepared = await party(env);
    if (route.needs && !prepared[route.needs]) throw new NoSuchRoute();
    const from = networkOf(clientAddress(request));
    // Reads the clock after the body, which may take any time to arrive.
    const bytes = route.maximum === undefined ? undefined : await readBytes(request, route.maximum);
    const body = route.members && membersOf(message(request, bytes), route.members);
    const authorization = /^Bearer +(.*)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    return {
      ...prepared, env, request, bytes, body, entry, log, fetchUpstream, now: timeOf(clock), store: new Store(env.DB), authorization,
      bearer: /^[\w-]+\.[\w-]+\.[\w-]+$/.test(authorization) ? authorization : undefined,
      clientAddress: new TextEncoder().encode(from), account: accountOf(await account(request, env)),
      waitUntil: (work) => execution?.waitUntil(work),
    };
  }

  return {
    async fetch(request, env, execution) {
      const name = `${request.method} ${new URL(request.url).pathname}`;
      const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined;
      const entry = { route: name };
      const began = Date.now();
      try {
        if (!route) throw new NoSuchRoute();
        const context = await contextOf(request, env, execution, { route, entry });
        if (context.clientAddress.length > 0) await context.limits.admit(env, "SOURCES", context.clientAddress, context.now);
        const { response, status = response?.status ?? 200, headers, body } = await route.run(context);
        log({ ...entry, outcome: "accepted", status, milliseconds: Date.now() - began });
        return response ?? (body === undefined ? new Response(null, { status, headers }) : Response.json(body, { status, headers }));
      } catch (error) {
        if (error instanceof NoSuchRoute) return Response.json({ error: "notFound" }, { status: 404 });
        const { status, word, step, reason, retryAfter, told } = answerTo(Refusal.of(error), env.ANSWERS);
        const outcome = status === 503 ? "failed" : "refused";
        log({ ...entry, outcome, status, word, step, reason, milliseconds: Date.now() - began });
        const headers = {
          ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
          // RFC 9110 §15.5.2: a 401 names a scheme.
          ...(status === 401 && { "www-authenticate": "Bearer" }),
        };
        return Response.json({ error: word, ...told }, { status, headers });
      }
    },

    /** A cron trigger calls it. */
    async scheduled(_, env) {
      await runSchedule({
        env, now: timeOf(clock), log, risk, fetchUpstream, party: () => party(env), cleaning: () => prepareCleaning(env),
      });
    },
  };
}

class NoSuchRoute extends Error {}
