/**
 * Purchases from the App Store, which replace the budget of the keys that use them: `POST /purchase`, with a session or a
 * request signature, and `POST /notifications`, which the App Store calls.
 */

import { readBytes } from "./body.mjs";
import { Fault } from "./refusal.mjs";
import { nextChallenge, provenKey } from "./routes.mjs";

/** The largest body of `/purchase`. A transaction has about 6 KB. */
export const MAXIMUM_PURCHASE = 32_768;
/** The largest body of `/notifications`. The App Store's have up to 20 KB. */
const MAXIMUM_NOTIFICATION = 65_536;

/** PURCHASES of the settings, as options of `Purchases`; undefined without it. */
export function purchaseOptions(env, budget) {
  if (env.PURCHASES === undefined) return undefined;
  const { appAppleID, products, sandboxProducts, maximumKeys, ...others } = env.PURCHASES ?? {};
  if (Object.keys(others).length > 0) throw new TypeError("PURCHASES: one of appAppleID, products, sandboxProducts, maximumKeys");
  if (!budget) throw new TypeError("PURCHASES: needs a BUDGET");
  const { days, requests, units } = budget;
  const withPeriod = (list, name) => {
    if (list === undefined) return undefined;
    if (!Array.isArray(list)) throw new TypeError(`PURCHASES.${name}: products`);
    return list.map((product) => {
      // A purchase replaces the budget of its keys, so that a smaller one would punish customers.
      if (product?.requests < requests || product?.units < units) {
        throw new TypeError(`PURCHASES.${name}: requests and units of BUDGET or more, because a purchase replaces them`);
      }
      return { days, ...product };
    });
  };
  const [live, sandbox] = [withPeriod(products, "products"), withPeriod(sandboxProducts, "sandboxProducts")];
  return {
    // An App ID is ten characters, a dot and the bundle ID.
    bundleID: env.APPS ? env.APPS[0]?.appID?.slice(11) : env.BUNDLE_ID, appAttestEnvironment: env.APP_ATTEST_ENVIRONMENT,
    production: live && { appAppleID, products: live }, sandbox: sandbox && { products: sandbox }, maximumKeys,
  };
}

export async function registerPurchase(context) {
  const { keyID } = await provenKey(context);
  const { productID, expiresAt } = await context.purchases.register({ signedTransaction: context.body.signedTransaction, keyID });
  return { headers: await nextChallenge(context, keyID), body: { productID, ...(expiresAt !== null && { expiresAt }) } };
}

/** Answers 500 to each error: Apple promises to repeat a notification after 40x too, but was seen not to. */
export async function receiveNotification({ purchases, request }) {
  try {
    await purchases.receiveNotification(await readBytes(request, MAXIMUM_NOTIFICATION));
  } catch (error) {
    throw new Fault(String(error?.message ?? error).slice(0, 500), { status: 500, code: "internalError", step: error?.step ?? "server" });
  }
  return {};
}
