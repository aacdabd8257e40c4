/**
 * Purchases from the App Store. The budget of a purchase replaces the budget of the keys that use it. A device calls
 * `POST /purchase`, with a session or a request signature, and the App Store calls `POST /notifications`.
 */

import { MAXIMUM_NOTIFICATION } from "../../Bindings/JavaScript/RelyingParty/request-body.mjs";
import { readBytes } from "./body.mjs";
import { nextChallenge, provenKey } from "./routes.mjs";

/** To register a key, the Worker may query the database once for each key of a purchase. */
const MOST_KEYS = 30;

/** Returns the setting PURCHASES as options of `Purchases`; undefined if it is not set. */
export function purchaseOptions(env, budget) {
  if (env.PURCHASES === undefined) return undefined;
  const { appAppleID, products, sandboxProducts, maximumKeys, ...others } = env.PURCHASES ?? {};
  if (Object.keys(others).length > 0) throw new TypeError("PURCHASES: one of appAppleID, products, sandboxProducts, maximumKeys");
  if (!budget) throw new TypeError("PURCHASES: needs a BUDGET");
  if (maximumKeys !== undefined && !(maximumKeys <= MOST_KEYS)) throw new TypeError(`PURCHASES.maximumKeys: 1 to ${MOST_KEYS}`);
  const { days, requests, units } = budget;
  const withPeriod = (list, name) => {
    if (list === undefined) return undefined;
    if (!Array.isArray(list)) throw new TypeError(`PURCHASES.${name}: products`);
    return list.map((product) => {
      if (product?.days !== undefined) throw new TypeError(`PURCHASES.${name}: productID, requests and units; no others`);
      // A smaller budget than before the purchase would put customers at a disadvantage.
      if (product?.requests < requests || product?.units < units) {
        throw new TypeError(`PURCHASES.${name}: requests and units of BUDGET or more, because a purchase replaces them`);
      }
      return { days, ...product };
    });
  };
  const [app] = env.APPS ?? [];
  const [live, sandbox] = [withPeriod(products, "products"), withPeriod(sandboxProducts, "sandboxProducts")];
  return {
    // An App ID is ten characters, a dot and the bundle ID.
    bundleID: app ? app.bundleID ?? app.appID?.slice(11) : env.BUNDLE_ID, appAttestEnvironment: env.APP_ATTEST_ENVIRONMENT,
    production: live && { appAppleID, products: live }, sandbox: sandbox && { products: sandbox }, maximumKeys,
  };
}

export async function registerPurchase(context) {
  const { keyID } = await provenKey(context);
  const { productID, expiresAt } = await context.purchases.register({ signedTransaction: context.body.signedTransaction, keyID });
  return { headers: await nextChallenge(context, keyID), body: { productID, ...(expiresAt !== null && { expiresAt }) } };
}

export async function receiveNotification({ purchases, request }) {
  await purchases.receiveNotification(await readBytes(request, MAXIMUM_NOTIFICATION));
  return {};
}

/**
 * Returns the answer to the App Store, which is 500 after any error. Apple documents that the App Store repeats a
 * notification after 40x too, but it was observed not to. The log records a failure, unless anybody could cause the
 * error.
 */
export function notificationAnswer(answer, { detail }) {
  const isForged = answer.step === "purchase" && answer.status !== 503 && detail !== "otherAppAppleID";
  return { ...answer, status: 500, word: "internalError", retryAfter: null, isFailure: !isForged && answer.step !== "input" };
}
