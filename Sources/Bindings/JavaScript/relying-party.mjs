/**
 * The server's side of App Attest: the rules of PureAttestServerCore in WebAssembly, over a store. The module decides;
 * this file asks the store and the limits what the decisions ask for. Types: relying-party.d.mts.
 */

import { BrokenInstanceError, PureAttest, RefusedError, copyOf as bytes, partyIn, secondsOf } from "./pure-attest.mjs";
import { CERTIFICATE_REASONS, REASONS } from "./reasons.mjs";
import { decode, encode, nameOf } from "./wire.mjs";

const PURPOSES = ["attestation", "assertion"];
const USES = ["untilExpiry", "untilRevoked", "once"];
const ANSWERS = ["precise", "uniform"];
const HOLDERS = ["key", "account"];
const ENVIRONMENTS = { 1: "production", 2: "development" };
/** The most denied tokens that an instance remembers, about 2 MB. */
const DENIED = 10_000;

/** Why the relying party rejected a request, and the answer for the client. */
export class Refusal extends Error {
  constructor([reason, step, status, code, retryAfter, requestsLeft, unitsLeft, resetsAt], keyID) {
    const isVerification = typeof reason === "number";
    const word = isVerification ? REASONS[reason & 0xff] ?? "unknown" : nameOf(reason);
    const detail = isVerification ? CERTIFICATE_REASONS[reason >> 8] : undefined;
    super(detail ? `${word} (${detail})` : word);
    this.name = "Refusal";
    /** For logs, never for clients. */
    this.reason = word;
    this.detail = detail;
    /** The key that the request is about, if that is known. For logs too. */
    this.keyID = keyID;
    this.step = nameOf(step);
    this.status = status;
    /** The word for the client. */
    this.code = nameOf(code);
    this.retryAfter = retryAfter;
    this.balance = resetsAt === null ? null : { requestsLeft, unitsLeft, resetsAt };
  }
}

export class RelyingParty {
  #verifier;
  #party;
  #store;
  #limits;
  #clock;
  #denied;

  /**
   * @param {WebAssembly.Module} module the compiled PureAttestRelyingParty.wasm
   */
  static async instantiate(module, { verifier, ...options }) {
    return new RelyingParty(await PureAttest.instantiate(module, verifier), options);
  }

  /** @param {PureAttest} verifier an instance of PureAttestRelyingParty.wasm */
  constructor(verifier, { store, limits, clock = () => Date.now() / 1000, ...settings }, shared) {
    if (typeof store?.rows !== "function") throw new TypeError("store: one of stores.mjs");
    this.#verifier = verifier;
    this.#party = shared?.party ?? partyIn(verifier, encode(settingsOf(settings)));
    this.#denied = shared?.denied ?? new Map();
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Returns this relying party over the store of one request, for platforms where connections belong to a request. */
  with({ store, limits = this.#limits, clock = this.#clock }) {
    return new RelyingParty(this.#verifier, { store, limits, clock }, { party: this.#party, denied: this.#denied });
  }

  get verifier() {
    return this.#verifier;
  }

  async issueChallenge({ purpose, keyID, account, clientAddress, now }) {
    const [challenge, expiresAt] = await this.#decide("issueChallenge", now, [
      indexOf(PURPOSES, purpose, "purpose"), keyID, account, clientAddress, random(),
    ]);
    return { challenge, expiresAt };
  }

  async register({ attestation, keyID, challenge, account, clientAddress, now }) {
    const [isNew, registeredAccount, token, expiresAt] = await this.#decide("register", now, [
      attestation, keyID, challenge, account, clientAddress, random(),
    ]);
    return { keyID, isNew: isNew === 1, account: registeredAccount, session: sessionOf(token, expiresAt) };
  }

  /** `request`: the bytes of method, target and body, if the device signed a whole request. */
  async authenticate({ assertion, keyID, challenge, request, account, clientAddress, now }) {
    const signed = request ? [request.method, request.target, request.body] : [];
    const [counter, registeredAccount, token, expiresAt] = await this.#decide("authenticate", now, [
      assertion, keyID, challenge, account, clientAddress, random(), ...signed,
    ]);
    return { keyID, counter, account: registeredAccount, session: sessionOf(token, expiresAt) };
  }

  async verifySession(token, { now } = {}) {
    const [keyID, account, tokenID, issuedAt, expiresAt, validationCategory, bundleVersion, codeDirectoryHash] =
      await this.#decide("verifySession", now, [token ?? ""]);
    return { keyID, account, tokenID, issuedAt, expiresAt, validationCategory, bundleVersion, codeDirectoryHash };
  }

  async endSession({ tokenID, expiresAt }, { now } = {}) {
    await this.#decide("endSession", now, [tokenID, expiresAt]);
  }

  async unattestedSession(clientAddress, { now } = {}) {
    return sessionOf(...(await this.#decide("unattestedSession", now, [clientAddress, random()])));
  }

  async verifyUnattestedSession(token, { now } = {}) {
    const [issuedAt, expiresAt] = await this.#decide("verifyUnattestedSession", now, [token ?? ""]);
    return { issuedAt, expiresAt };
  }

  /** `holder`: a session or an authentication. */
  async spendBudget(units, { keyID, account }, { now } = {}) {
    const [requestsLeft, unitsLeft, resetsAt, ...row] = await this.#decide("spendBudget", now, [keyID, account, units]);
    let isSettled = false;
    const settle = async (used) => {
      if (isSettled) return;
      isSettled = true;
      await this.#decide("settleBudget", now, [...row, units, Number.isSafeInteger(used) ? used : null]);
    };
    return { units, balance: { requestsLeft, unitsLeft, resetsAt }, settle };
  }

  async revoke(keyID, { now } = {}) {
    const [isRevoked] = await this.#decide("revoke", now, [keyID]);
    return isRevoked === 1;
  }

  async revokeKeys(account, { now } = {}) {
    return (await this.#store.rows("revokeKeys", [account, this.#time(now)])).length;
  }

  async keys(account, { after = new Uint8Array(), limit = 100 } = {}) {
    const rows = await this.#store.rows("selectKeys", [account, after, Math.min(Math.max(limit, 1), 1_000)]);
    return Promise.all(rows.map((row) => this.#described(row)));
  }

  async claimDueReceipts(limit, { now } = {}) {
    const time = this.#time(now);
    const rows = await this.#store.rows("claimDueReceipts", [time, time + CLAIM, Math.min(Math.max(limit, 1), 1_000)]);
    return (await Promise.all(rows.map((row) => this.#described(row)))).filter(({ isAppAttest }) => isAppAttest);
  }

  /** `risk` is called with a new receipt, before it is stored. */
  async storeReceiptAnswer(due, { status, body }, { risk = () => {}, now } = {}) {
    const [state, askAgainAt] = await this.#decide("storeReceiptAnswer", now, [...due.row, status, body], risk);
    return { state: nameOf(state), askAgainAt };
  }

  /** Deletes expired rows, at most `limit` of each table, and returns their numbers. */
  async removeExpired(limit, { now } = {}) {
    const time = this.#time(now);
    return { tokens: await removeTokens(this.#store, limit, time), budgets: await removeBudgets(this.#store, limit, time) };
  }

  async #described(row) {
    const [keyID, environment, isAppAttest] = await this.#decide("describeKey", 0, row);
    const [, account, receipt, receiptDueAt, registeredAt, lastUsedAt, revokedAt] = row;
    return {
      keyID, environment: ENVIRONMENTS[environment], isAppAttest: isAppAttest === 1, account, receipt, receiptDueAt,
      registeredAt, lastUsedAt, revokedAt, row,
    };
  }

  #time(now = this.#clock()) {
    return Number(secondsOf(now));
  }

  /** Runs a decision: answers its questions one after another until it accepts or rejects the request. */
  async #decide(operation, now, values, risk) {
    const state = { risk };
    let reply = this.#party.begin(encode([operation, this.#time(now), ...values]));
    for (;;) {
      const [number, ...rest] = decode(reply);
      if (number === 0) return rest;
      if (number === 1) throw new Refusal(rest, state.keyID);
      const [name, ...parameters] = rest;
      let answer;
      try {
        answer = await this.#answer(nameOf(name), parameters, state);
      } catch (error) {
        if (!this.#verifier.isBroken) this.#party.drop(number);
        if (state.undo) await this.#wait(state.undo);
        throw error;
      }
      reply = this.#party.answer(number, encode(answer));
    }
  }

  async #answer(name, parameters, state) {
    switch (name) {
      case "about": state.keyID = parameters[0] ?? state.keyID; return [];
      case "limit": return [await this.#wait(parameters)];
      case "ifStoreFails": state.undo = parameters; return [];
      case "knownDenial": return [this.#denied.get(nameOf(parameters[0])) ?? null];
      case "rememberDenial": this.#remember(...parameters); return [];
      case "receipt": {
        const [riskMetric, creationTime, notBefore, expirationTime] = parameters;
        await state.risk({ riskMetric, creationTime, notBefore, expirationTime });
        return [];
      }
      default: return (await this.#store.rows(name, parameters))[0] ?? [];
    }
  }

  /** Returns the seconds to wait, or null. */
  async #wait([action, limit, name, time, burst, perMinute]) {
    if (burst === null) return null;
    return (await this.#limits?.wait({ action: nameOf(action), limit: nameOf(limit), name, time, burst, perMinute })) ?? null;
  }

  /** Forgets the oldest entry of a full table, which expires first. That costs one more query. */
  #remember(id, _, isConsumed) {
    if (this.#denied.size >= DENIED) this.#denied.delete(this.#denied.keys().next().value);
    this.#denied.set(nameOf(id), isConsumed);
  }
}

/** Ten minutes: ample for one query, and a short delay after a process that stopped. */
const CLAIM = 600;
/** RelyingPartyConfiguration.clockMargin */
const CLOCK_MARGIN = 300;

const removed = async (store, operation, until, limit) => (await store.rows(operation, [until, limit])).length;
/** The parts of `removeExpired`, which need no module. */
export const removeTokens = (store, limit, time) => removed(store, "removeSomeExpired", time, limit);
export const removeBudgets = (store, limit, time) => removed(store, "removeSomeBudgets", time - CLOCK_MARGIN, limit);

const random = () => crypto.getRandomValues(new Uint8Array(16));
const sessionOf = (token, expiresAt) => ({ token: nameOf(token), expiresAt });

function indexOf(names, name, option) {
  const index = names.indexOf(name);
  if (index < 0) throw new TypeError(`${option}: one of ${names.join(", ")}`);
  return index;
}

/** Returns the settings as the module reads them (Settings.swift): each a name and its values. */
function settingsOf({
  sessionKeys, challengeLifetime, sessionLifetime, sessionUse = "untilRevoked", maximumClientData, maximumAttempts,
  verifiesFirstReceipt = false, answerPolicy = "precise", budget, enrolment = {}, rates = {}, ...others
}) {
  for (const name of Object.keys(others)) throw new TypeError(`options.${name}: unknown`);
  const values = sessionKeys.flatMap(({ id, secret }) => ["sessionKey", id, secret]);
  const numbers = { challengeLifetime, sessionLifetime, maximumClientData, maximumAttempts };
  for (const [name, value] of Object.entries(numbers)) if (value !== undefined) values.push(name, value);
  values.push("sessionUse", indexOf(USES, sessionUse, "sessionUse"), "answerPolicy", indexOf(ANSWERS, answerPolicy, "answerPolicy"));
  values.push("verifiesFirstReceipt", verifiesFirstReceipt ? 1 : 0);
  if (budget) values.push("budget", budget.days, budget.requests, budget.units, indexOf(HOLDERS, budget.per ?? "key", "budget.per"));
  const { perThousand, from, until, name, keysPerSecond } = enrolment;
  if (perThousand !== undefined) values.push("share", perThousand);
  if (from !== undefined) values.push("gradual", from, until);
  if (name !== undefined) values.push("rolloutName", name);
  if (keysPerSecond !== undefined) values.push("keysPerSecond", keysPerSecond);
  for (const [limit, rate] of Object.entries(rates)) values.push("limit", limit, rate?.burst ?? null, rate?.perMinute ?? null);
  return values;
}

export { BrokenInstanceError, PureAttest, RefusedError };
