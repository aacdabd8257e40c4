/** App Store purchases: PureAttestPurchasesCore in WebAssembly, over a relying party's store. Types: purchases.d.mts. */

import { Allowance } from "./allowance.mjs";
import {
  ENVIRONMENTS, INPUT_LIMITS, copyUpTo, keyIDOf, listOf, membersOf, nowIn, numberOf, secondsOf, textFrom, textOf, wholeNumber,
} from "../Verifier/arguments.mjs";
import { decide, rowOf } from "./decisions.mjs";
import { ModuleInstance, instanceOf } from "../Verifier/instance.mjs";
import { CERTIFICATE_REASONS } from "../Generated/reasons.mjs";
import { amountsOf, number } from "./party-settings.mjs";
import { Refusal } from "./refusal.mjs";
import { APP_STORE_ENVIRONMENTS, MAXIMUM_PURCHASE_BYTES as MAXIMUM, MAXIMUM_PURCHASE_KEYS } from "../Generated/server-facts.mjs";
import { encode, nameOf } from "./wire.mjs";

const SETTINGS = ["bundleID", "appAttestEnvironment", "production", "sandbox", "maximumKeys", "maximumAttempts"];

export class Purchases {
  #instance;
  #partner;
  #store;
  #clock;

  static async instantiate(module, options) {
    return new Purchases(await instanceOf(module), options);
  }

  constructor(instance, options, shared) {
    const { store, clock = () => Date.now() / 1000 } = membersOf(options, "options", ["store", "clock", ...SETTINGS]);
    if (typeof store?.rows !== "function") throw new TypeError("store: an object with a method rows");
    if (typeof clock !== "function") throw new TypeError("clock: a function");
    this.#instance = shared?.instance ?? new ModuleInstance(instance);
    this.#partner = shared?.partner
      ?? this.#instance.partner("pure_attest_purchases_create", "PureAttestPurchases.wasm", encode(settingsOf(options)));
    this.#store = store;
    this.#clock = clock;
  }

  with(surroundings) {
    const { store, clock = this.#clock } = membersOf(surroundings, "surroundings", ["store", "clock"]);
    return new Purchases(undefined, { store, clock }, { instance: this.#instance, partner: this.#partner });
  }

  get isBroken() {
    return this.#instance.isBroken;
  }

  async register({ signedTransaction, keyID, now }) {
    const id = keyIDOf(keyID);
    return purchaseOf(await this.#decide("register", now, [transactionOf(signedTransaction), id], id));
  }

  async receiveNotification(body, options) {
    const values = await this.#decide("receiveNotification", nowIn(options), [copyUpTo(MAXIMUM.signedData, body, "body")]);
    return values.length === 0 ? null : purchaseOf(values);
  }

  async receiveTransaction(signedTransaction, options) {
    return purchaseOf(await this.#decide("receiveTransaction", nowIn(options), [transactionOf(signedTransaction)]));
  }

  async purchase(keyID, options) {
    const id = keyIDOf(keyID);
    const values = await this.#decide("purchase", nowIn(options), [id], id);
    return values.length === 0 ? null : { ...purchaseOf(values), allowance: new Allowance(values.slice(8)) };
  }

  async allowance(keyID, options) {
    return (await this.purchase(keyID, options))?.allowance ?? null;
  }

  async keys(originalTransactionID) {
    const id = textOf(originalTransactionID, "originalTransactionID");
    return this.#decide("keys", 0, [copyUpTo(MAXIMUM.originalTransactionID, id, "originalTransactionID")]);
  }

  async remove(keyID) {
    const [isRemoved] = await this.#decide("remove", 0, [keyIDOf(keyID)]);
    return isRemoved === 1;
  }

  #decide(operation, now = this.#clock(), values, keyID) {
    return decide(this.#partner, [operation, Number(secondsOf(now)), ...values], {
      state: {},
      answer: (name, parameters) => rowOf(this.#store, name, parameters),
      refusal: (rejection) => refusalOf(rejection, keyID),
    });
  }
}

/** Returns each setting's name and its values (PurchaseSettings.swift). */
function settingsOf(options) {
  const { bundleID, appAttestEnvironment = "production", production, sandbox } = options;
  if (production === undefined && sandbox === undefined) throw new TypeError("production or sandbox: products");
  const id = copyUpTo(INPUT_LIMITS.option, textOf(bundleID, "bundleID"), "bundleID");
  if (id.length === 0 || id.length > INPUT_LIMITS.option) throw new TypeError("bundleID: a text such as com.example.app");
  return [
    "bundleID", id, "appAttestEnvironment", numberOf(ENVIRONMENTS, appAttestEnvironment, "appAttestEnvironment"),
    ...number(options, "maximumKeys", 1, MAXIMUM_PURCHASE_KEYS), ...number(options, "maximumAttempts", 1, 1_000),
    ...environmentOf("production", production), ...environmentOf("sandbox", sandbox),
  ];
}

function environmentOf(name, environment) {
  if (environment === undefined) return [];
  const { appAppleID, products } = membersOf(environment, name, ["appAppleID", "products"]);
  if (appAppleID === undefined && name === "production") throw new TypeError("production.appAppleID: the app's Apple ID, in App Store Connect");
  const ids = new Set();
  const option = `${name}.products`;
  const budgets = listOf(products ?? [], option).flatMap((product) => {
    const { productID } = membersOf(product, option, ["productID", "days", "requests", "units"]);
    const id = textOf(productID, `${option}.productID`);
    if (id.length === 0 || id.length > MAXIMUM.productID) throw new TypeError(`${option}.productID: 1 to ${MAXIMUM.productID} bytes`);
    if (ids.has(productID)) throw new TypeError(`${option}: two with the productID ${productID}`);
    ids.add(productID);
    return ["product", id, ...amountsOf(product, option)];
  });
  const appleID = appAppleID === undefined ? null : wholeNumber(appAppleID, `${name}.appAppleID`, 1, Number.MAX_SAFE_INTEGER);
  return ["environment", APP_STORE_ENVIRONMENTS.indexOf(name), appleID, ...budgets];
}

function transactionOf(signedTransaction) {
  const isText = typeof signedTransaction === "string";
  const text = isText ? new TextEncoder().encode(signedTransaction.slice(0, MAXIMUM.signedData + 1)) : signedTransaction;
  return copyUpTo(MAXIMUM.signedData, text, "signedTransaction");
}

/** Returns the error of a rejection, whose values Rejections.swift lists. */
function refusalOf([reason, status, code, retryAfter, ...cases], keyID) {
  const detail = cases.map((word) => (typeof word === "number" ? CERTIFICATE_REASONS[word] ?? "unknown" : nameOf(word))).join(": ");
  return new Refusal({
    reason: nameOf(reason), detail: detail === "" ? undefined : detail, step: "purchase", status, code: nameOf(code), retryAfter, keyID,
  });
}

function purchaseOf([environment, originalTransactionID, transactionID, productID, purchasedAt, signedAt, expiresAt, isRevoked]) {
  return {
    environment: APP_STORE_ENVIRONMENTS[environment], originalTransactionID: textFrom(originalTransactionID),
    transactionID: textFrom(transactionID), productID: textFrom(productID), purchasedAt, signedAt, expiresAt, isRevoked: isRevoked === 1,
  };
}

export { Allowance } from "./allowance.mjs";
export { StoreError } from "./decisions.mjs";
export { BrokenInstanceError } from "../Verifier/errors.mjs";
export { Refusal } from "./refusal.mjs";
