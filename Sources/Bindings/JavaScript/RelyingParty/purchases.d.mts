/** Purchases from the App Store. A purchase replaces the budget of the keys that use it. */

import type { Bytes, Environment, Time } from "../Verifier/pure-attest.mjs";
import type { Store } from "./stores.mjs";

/** An accepted product, and the budget that all keys of one purchase share. */
export interface Product {
  /** The product's identifier in App Store Connect, 1 to 255 bytes of UTF-8. */
  productID: string;
  /** The length of a period in days, 1 to 3,660. */
  days: number;
  /** The requests per period, 0 to 2⁵³ − 1. */
  requests: number;
  /** The units per period, 0 to 2⁵³ − 1. */
  units: number;
}

/** Options of purchases. An unknown option, and a value of another type or out of range, cause a `TypeError`. */
export interface PurchaseOptions {
  /** The relying party's store, which also contains the purchases. */
  store: Store;
  bundleID: string;
  /**
   * The relying party's environment. TestFlight uses "production" with the App Store's sandbox. Default: "production".
   */
  appAttestEnvironment?: Environment;
  /** Purchases in the App Store. `appAppleID` is the app's Apple ID, which App Store Connect shows. */
  production?: { appAppleID: number; products: Product[] };
  /**
   * Purchases of TestFlight's testers and of App Review, which are free: give them the party's own budget. `production`
   * or `sandbox` is required. If a key has a purchase in both, production applies.
   */
  sandbox?: { appAppleID?: number; products: Product[] };
  /** The maximum number of keys of a purchase at a time, 1 to 100. A reinstalled app has a new key. Default: 6. */
  maximumKeys?: number;
  /**
   * The maximum number of attempts to write one row while other requests change it, 1 to 1,000. Each attempt is two
   * queries. Default: 64.
   */
  maximumAttempts?: number;
  /** Returns the time, in seconds since 1970 or as a `Date`. Default: the system's clock. */
  clock?: () => Time;
}

/** The latest state of a purchase. Times are in seconds since 1970. */
export interface Purchase {
  environment: "production" | "sandbox";
  /** The identifier that all renewals of a subscription share. */
  originalTransactionID: string;
  transactionID: string;
  productID: string;
  purchasedAt: number;
  /** When the App Store signed this state. */
  signedAt: number;
  /** Includes a grace period that a notification announced; null if the purchase never expires. */
  expiresAt: number | null;
  /** Whether the purchase was refunded, taken from Family Sharing, or upgraded to another product. */
  isRevoked: boolean;
}

/** The budget of a purchase, for `RelyingParty.spendBudget`. Query it in each request, and do not store it. */
export class Allowance {
  #private;
  private constructor();
  readonly days: number;
  readonly requests: number;
  readonly units: number;
}

/**
 * The purchases of a relying party's keys. Each call returns a result or throws an error, like the calls of
 * {@link RelyingParty}. The step of a `Refusal` is "purchase".
 *
 * Not checked: who paid, and whether the App Store's certificates are revoked. A transaction is no secret, so a key of
 * another user may send it. At most `maximumKeys` keys share the budget of a purchase.
 */
export class Purchases {
  /** @param module PureAttestPurchases.wasm, compiled */
  static instantiate(module: WebAssembly.Module, options: PurchaseOptions): Promise<Purchases>;

  /** @param instance an instance of PureAttestPurchases.wasm, of these purchases only */
  constructor(instance: WebAssembly.Instance, options: PurchaseOptions);

  /** Returns these purchases over the store of one request, for platforms where connections belong to a request. */
  with(surroundings: Pick<PurchaseOptions, "store" | "clock">): Purchases;

  /**
   * Verifies a transaction, and lets a key use its purchase. May be repeated: the key is counted once. A key uses one
   * purchase of each environment, the last that it registered.
   *
   * @param request `signedTransaction`: `jwsRepresentation` of StoreKit's `VerificationResult<Transaction>`. `keyID`:
   * the key of a session or of a signed request, 32 bytes
   */
  register(request: { signedTransaction: string | Bytes; keyID: Bytes; now?: Time }): Promise<Purchase>;

  /**
   * Verifies a server notification, version 2, and stores the state of its purchase. Answer the App Store with status 200
   * if this call returns, and with 500 after any error, so that it sends the notification again.
   *
   * @param body the body of the App Store's request
   * @returns null if the notification is not about a non-consumable or an auto-renewable subscription
   */
  receiveNotification(body: Bytes, options?: { now?: Time }): Promise<Purchase | null>;

  /** Verifies a transaction that no device sends, such as one from Apple's refund history, and stores its state. */
  receiveTransaction(signedTransaction: string | Bytes, options?: { now?: Time }): Promise<Purchase>;

  /** Returns the purchase that a key may use now, with its budget; null if there is none. */
  purchase(keyID: Bytes, options?: { now?: Time }): Promise<(Purchase & { allowance: Allowance }) | null>;

  /** Returns the budget of a key's purchase; null if it has none: then the relying party's own budget applies. */
  allowance(keyID: Bytes, options?: { now?: Time }): Promise<Allowance | null>;

  /** Returns the keys of a purchase in the order of their registration. Some may use another purchase now. */
  keys(originalTransactionID: string): Promise<Uint8Array[]>;

  /** Removes a key from its purchases, so that another key can use them. Returns whether the key used a purchase. */
  remove(keyID: Bytes): Promise<boolean>;

  /** A call trapped, or ran out of memory or stack. */
  readonly isBroken: boolean;
}

export { BrokenInstanceError } from "../Verifier/pure-attest.mjs";
export { Refusal, StoreError } from "./relying-party.mjs";
