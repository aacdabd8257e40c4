/**
 * A relying party on an edge worker, with keys, counters and consumed tokens in D1. It has the routes of the Swift
 * service (Sources/Apps/Service/openapi.json). RelyingParty makes the decisions, by the rules of PureAttestServer.
 * Times are seconds since 1970; JSON contains bytes in Base64.
 *
 *   POST /challenge   {purpose: "attestation" | "assertion", keyID}   → {challenge, expiresAt}
 *   POST /attest      {keyID, challenge, attestation}                 → {keyID, isNew, token, expiresAt}
 *   POST /session     {keyID, challenge, assertion}                   → {token, expiresAt}
 *   GET  /protected   Authorization: Bearer TOKEN                     → {keyID}
 *   POST /signed      Attest-Key, Attest-Challenge, Attest-Assertion  → {keyID}
 *   POST /generate    as either of these, with a prompt               → the upstream's answer; see generate.mjs
 *   POST /purchase    as either of these, {signedTransaction}         → {productID, expiresAt}; see purchases.mjs
 *   POST /notifications                                               → 200, or 500 after any error
 *   POST /logout      Authorization: Bearer TOKEN                     → 204
 *   POST /unattested                                                  → {token, expiresAt}, of the unattested tier
 *   GET  /open        Authorization: Bearer TOKEN of any tier         → {open}
 *   GET  /health                                                      → {status}
 *   POST /operator/keys, /operator/revoke                             → see operator.mjs
 *
 * The client data of an assertion for a session is the challenge itself. If a request proves a key, the header
 * `Attest-Challenge` of the answer contains the challenge for the key's next assertion. A rejection contains one word,
 * `{error}`; only the log contains the step and the reason.
 */

import { encode } from "../../Bindings/JavaScript/RelyingParty/base64.mjs";
import { clientAddressOf } from "../../Bindings/JavaScript/RelyingParty/client-address.mjs";
import { reusing } from "../../Bindings/JavaScript/RelyingParty/http.mjs";
import { refusalHeaders } from "../../Bindings/JavaScript/RelyingParty/refusal.mjs";
import { MAXIMUM_ATTESTATION, MAXIMUM_PURCHASE, bearerOf } from "../../Bindings/JavaScript/RelyingParty/request-body.mjs";
import { D1Store } from "../../Bindings/JavaScript/RelyingParty/stores.mjs";
import { accountOf, message, readBytes } from "./body.mjs";
import { generate } from "./generate.mjs";
import { limitsOf } from "./limits.mjs";
import { answerHealth, answerKeys, revoke } from "./operator.mjs";
import { notificationAnswer, receiveNotification, registerPurchase } from "./purchases.mjs";
import { Fault, answerTo } from "./refusal.mjs";
import {
  MAXIMUM_SIGNED, answerOpen, answerProtected, answerSigned, issueChallenge, logOut, openSession, openUnattested, register,
} from "./routes.mjs";
import { runSchedule } from "./schedule.mjs";
import { prepare, timeOf } from "./settings.mjs";

/** Returns the client address in the form that the limits use; undefined if the platform provides none. */
function addressFrom(address) {
  if (address === null || address === undefined) return undefined;
  const name = typeof address === "string" ? clientAddressOf(address) : undefined;
  if (!name) throw Fault.malformed("client address");
  return name;
}

/**
 * `maximum`: the largest body in bytes; `members`: the accepted lists of message members; `needs`: the setting that
 * enables the route; `isFromAppStore`: the App Store sends the request, so the limits of clients and users do not
 * apply.
 */
const ROUTES = {
  "POST /challenge": { run: issueChallenge, maximum: 1_024, members: [["purpose", "keyID"]] },
  "POST /attest": { run: register, maximum: MAXIMUM_ATTESTATION, members: [["keyID", "challenge", "attestation"]] },
  "POST /session": { run: openSession, maximum: 8_192, members: [["keyID", "challenge", "assertion"]] },
  "GET /protected": { run: answerProtected },
  "POST /signed": { run: answerSigned, maximum: MAXIMUM_SIGNED },
  "POST /generate": { run: generate, maximum: MAXIMUM_SIGNED, needs: "generation" },
  "POST /purchase": { run: registerPurchase, maximum: MAXIMUM_PURCHASE, members: [["signedTransaction"]], needs: "purchases" },
  "POST /notifications": { run: receiveNotification, needs: "purchases", isFromAppStore: true },
  "POST /logout": { run: logOut },
  "POST /unattested": { run: openUnattested },
  "GET /open": { run: answerOpen },
  "GET /health": { run: answerHealth },
  "POST /operator/keys": { run: answerKeys, maximum: 1_024, members: [["account"], ["account", "after"]], needs: "operatorToken" },
  "POST /operator/revoke": { run: revoke, maximum: 1_024, members: [["keyID"], ["account"]], needs: "operatorToken" },
};

/**
 * @param {(env: object) => Promise<PureAttest>} makeVerifier called once, at first use, and again after a failure or a
 * trap
 * @param {object} surroundings `account` returns the name of the user who is logged in, or null. `clientAddress`
 * returns the client address, or null. `risk` receives each newer receipt from Apple, with its `riskMetric`, before the
 * receipt is stored. `makePurchases` creates the `Purchases` from options, and is required only if PURCHASES is set
 */
export function createHandler(makeVerifier, {
  clock = () => Math.floor(Date.now() / 1000), log: write = console.log, account = () => null,
  clientAddress = (request) => request.headers.get("cf-connecting-ip"), risk = () => {}, makePurchases,
  fetch: fetchUpstream = (...args) => fetch(...args),
} = {}) {
  const log = (entry) => write(JSON.stringify(entry));
  const prepared = reusing((env) => prepare({ makeVerifier, makePurchases }, env));

  async function contextOf(request, env, execution, { route, entry }) {
    const { party, secret, ...options } = await prepared(env);
    if (route.needs && !options[route.needs]) throw new NoSuchRoute();
    const from = route.isFromAppStore ? undefined : addressFrom(clientAddress(request));
    // Read the body before the clock, because the body may take any time to arrive.
    const bytes = route.maximum === undefined ? undefined : await readBytes(request, route.maximum);
    const body = route.members && message(request, bytes, route.members);
    const [now, store, limits] = [timeOf(clock), new D1Store(env.DB), limitsOf(env, secret)];
    return {
      ...options, party: party.with({ store, limits, clock: () => now }),
      purchases: options.purchases?.with({ store, clock: () => now }), store, limits, now, request, bytes, body, entry, log, fetchUpstream,
      authorization: bearerOf(request), clientAddress: from, account: route.isFromAppStore ? null : accountOf(await account(request, env)),
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
        await admit(context);
        const { response, status = response?.status ?? 200, headers, body } = await route.run(context);
        log({ ...entry, outcome: "accepted", status, milliseconds: Date.now() - began });
        return response ?? (body === undefined ? new Response(null, { status, headers }) : Response.json(body, { status, headers }));
      } catch (error) {
        if (error instanceof NoSuchRoute) return Response.json({ error: "notFound" }, { status: 404 });
        const answer = route.isFromAppStore ? notificationAnswer(answerTo(error), error) : answerTo(error);
        const { status, word, step, reason, balance, keyID, isFailure = status === 503 } = answer;
        const outcome = isFailure ? "failed" : "refused";
        if (keyID) entry.keyID = encode(keyID);
        log({ ...entry, outcome, status, word, step, reason, milliseconds: Date.now() - began });
        return Response.json({ error: word, ...balance }, { status, headers: refusalHeaders(answer) });
      }
    },

    /** For a cron trigger. */
    async scheduled(_, env) {
      await runSchedule({ env, now: timeOf(clock), log, risk, fetchUpstream, prepared: () => prepared(env) });
    },
  };
}

async function admit({ limits, clientAddress: name, now: time }) {
  if (!name) return;
  const retryAfter = await limits.wait({ action: "admit", limit: "requestsPerClientAddress", name, time });
  if (retryAfter !== null) throw new Fault("rateLimited", { status: 429, code: "tooManyRequests", step: "limits", retryAfter });
}

class NoSuchRoute extends Error {}
