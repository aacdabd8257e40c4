// npm.sh compiles this file but never runs it. It contains uses that the types of the relying party must allow, and uses that
// they must reject, which are below a @ts-expect-error.
import { answerTo, attestRoutes, purchaseRoutes, reusing, withAssertion, withSession } from "../../RelyingParty/http.mjs";
import { MemoryLimits } from "../../RelyingParty/limits.mjs";
import type { Limits } from "../../RelyingParty/limits.mjs";
import { Allowance, Purchases } from "../../RelyingParty/purchases.mjs";
import type { PurchaseOptions } from "../../RelyingParty/purchases.mjs";
import { Refusal, RelyingParty, StoreError } from "../../RelyingParty/relying-party.mjs";
import type { PartyOptions, Reservation, Session } from "../../RelyingParty/relying-party.mjs";
import { D1Store, MemoryStore, PostgreSQLStore } from "../../RelyingParty/stores.mjs";
import type { Store } from "../../RelyingParty/stores.mjs";

declare const module: WebAssembly.Module;
declare const bytes: Uint8Array;
declare const pool: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> };
declare const sql: { unsafe(text: string, values: unknown[]): PromiseLike<Iterable<unknown> & ArrayLike<unknown>> };

const stores: Store[] = [
  new MemoryStore(), new MemoryStore({ keys: 5 }), new PostgreSQLStore((text, values) => pool.query(text, values)),
  new PostgreSQLStore((text, values) => sql.unsafe(text, values)), { rows: async () => [[1, null, bytes]] },
];
const limits: Limits = new MemoryLimits({ capacity: 5 });
const options: PartyOptions = {
  store: stores[0], sessionKeys: [{ id: "1", secret: bytes }], limits, clock: () => new Date(), sessionUse: "once", answerPolicy: "uniform",
  budget: { days: 1, requests: 5, units: 5, per: "account" }, enrolment: { from: 1, until: new Date() }, rates: { failuresPerAccount: null },
};
// @ts-expect-error: no store
const storeless: PartyOptions = { sessionKeys: [] };
// @ts-expect-error: a limit that does not exist
const rates: PartyOptions = { ...options, rates: { perUser: null } };
// @ts-expect-error: half a rate
const rate: PartyOptions = { ...options, rates: { failuresPerAccount: { burst: 5 } } };
// @ts-expect-error: a text
const secret: PartyOptions = { ...options, sessionKeys: [{ id: "1", secret: "secret" }] };
// @ts-expect-error: not a binding
new D1Store({});
// @ts-expect-error: made by the library
new Refusal();

const verifier = { appID: "1234567890.com.example.myapp", environment: "production" } as const;
const party = await RelyingParty.instantiate(module, { ...options, verifier });
const request = { keyID: bytes, account: "user", clientAddress: "192.0.2.1", now: 5 };
const { challenge } = await party.issueChallenge({ ...request, purpose: "attestation" });
// @ts-expect-error: another purpose
party.issueChallenge({ ...request, purpose: "login" });
// @ts-expect-error: a misspelt member
party.issueChallenge({ purpose: "assertion", keyID: bytes, acount: "user" });
const { isNew, session: issued } = await party.register({ ...request, attestation: bytes, challenge });
const { counter } = await party.authenticate({ keyID: bytes, assertion: bytes, challenge, request: { method: "GET", target: "/", body: bytes } });
const session: Session = await party.verifySession(issued.token);
const reservation: Reservation = await party.spendBudget(5, session);
await reservation.settle(null);
// @ts-expect-error: nothing
reservation.settle();
await party.endSession(session);
const products = [{ productID: "com.example.pro", days: 1, requests: 5, units: 5 }];
const offered: PurchaseOptions = { bundleID: "com.example.app", production: { appAppleID: 42, products }, sandbox: { products }, store: stores[0] };
// @ts-expect-error: production needs the app's Apple ID
const unnamed: PurchaseOptions = { bundleID: "com.example.app", production: { products }, store: stores[0] };
const purchases: Purchases = await Purchases.instantiate(module, offered);
const { expiresAt } = await purchases.register({ signedTransaction: "a.b.c", keyID: bytes });
const notified: boolean | undefined = (await purchases.receiveNotification(bytes))?.isRevoked;
await party.spendBudget(5, session, { from: await purchases.allowance(session.keyID) });
// @ts-expect-error: made by the library
await party.spendBudget(5, session, { from: { days: 1, requests: 5, units: 5 } });
const allowance: Allowance | null = await purchases.allowance(bytes);
const routesOfPurchases: (request: Request) => Promise<Response | undefined> = purchaseRoutes(party, purchases, { prefix: "/app" });
purchaseRoutes(party, reusing(() => Purchases.instantiate(module, offered)));
console.log(allowance instanceof Allowance && allowance.units, routesOfPurchases);
// @ts-expect-error: no key
purchases.register({ signedTransaction: "a.b.c" });
console.log(unnamed, expiresAt, notified, (await purchases.keys("1")).length, await purchases.remove(bytes));
for (const due of await party.claimDueReceipts(5)) {
  await party.storeReceiptAnswer(due, { status: 200, body: bytes }, { risk: ({ riskMetric }) => console.log(riskMetric) });
}
// @ts-expect-error: it verifies nothing by itself
party.verifier.verifyAttestation;

interface Env { DB: ConstructorParameters<typeof D1Store>[0] }
const made = reusing((env: Env) => RelyingParty.instantiate(module, { ...options, store: new D1Store(env.DB), verifier }));
const routes = attestRoutes(made, { prefix: "/attest", clientAddress: (request) => request.headers.get("cf-connecting-ip") });
const protectedRoute = withSession(made, async (request, session, env) => new Response(JSON.stringify([session.keyID, env.DB, request.url])));
const signedRoute = withAssertion(party, (_, { counter, account }) => new Response(JSON.stringify([counter, account])), { maximumBody: 5, account: () => null });
// @ts-expect-error: an option that does not exist
withSession(party, () => new Response(), { maximumBody: 5 });
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    return (await routes(request, env)) ?? (request.method === "GET" ? protectedRoute(request, env) : signedRoute(request));
  },
};
const answer: number = answerTo(new Error()).status;
const isOurs = (error: unknown) => error instanceof Refusal ? error.code : error instanceof StoreError && error.operation;
console.log(storeless, rates, rate, secret, isNew, counter, answer, isOurs);
