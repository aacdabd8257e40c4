/**
 * The server's side of App Attest: the rules of PureAttestServerCore in WebAssembly, over a store. The module decides;
 * this file answers its questions from the store and the limits. Types: relying-party.d.mts.
 */

import { Allowance } from "./allowance.mjs";
import {
  ENVIRONMENT_NAMES, INPUT_LIMITS, copyOf as bytes, copyUpTo, keyIDOf, membersOf, nowIn, secondsOf, textFrom, textOf, wholeNumber,
} from "../Verifier/arguments.mjs";
import { clientAddressOf } from "./client-address.mjs";
import { StoreError, decide, rowOf } from "./decisions.mjs";
import { MemoryLimits } from "./limits.mjs";
import { OPTIONS, indexOf, settingsOf } from "./party-settings.mjs";
import { BrokenInstanceError, PureAttest, RefusedError, partyIn } from "../Verifier/pure-attest.mjs";
import { CERTIFICATE_REASONS, REASONS } from "../Generated/reasons.mjs";
import { Refusal } from "./refusal.mjs";
import { CHALLENGE_PURPOSES, CLOCK_MARGIN, MAXIMUM_BYTES, RECEIPT_CLAIM } from "../Generated/server-facts.mjs";
import { decode, encode, nameOf } from "./wire.mjs";

const MAXIMUM = { ...MAXIMUM_BYTES, challenge: 1_024, receiptAnswer: 131_072 };
/** The members of each request. */
const COMMON = ["keyID", "account", "clientAddress", "now"];
/** The most denied tokens that an instance remembers, about 2 MB. */
const DENIED = 10_000;

export class RelyingParty {
  #verifier;
  #party;
  #store;
  #limits;
  #clock;
  #maximumClientData;
  #denied;

  static async instantiate(module, { verifier, ...options }) {
    return new RelyingParty(await PureAttest.instantiate(module, verifier), options);
  }

  constructor(verifier, options, shared) {
    const { store, limits = new MemoryLimits(), clock = () => Date.now() / 1000, maximumClientData = MAXIMUM.clientData } = membersOf(
      options, "options", OPTIONS);
    if (typeof store?.rows !== "function") throw new TypeError("store: an object with a method rows");
    if (limits !== null && typeof limits.wait !== "function") throw new TypeError("limits: an object with a method wait, or null");
    if (typeof clock !== "function") throw new TypeError("clock: a function");
    this.#verifier = verifier;
    this.#party = shared?.party ?? partyIn(verifier, encode(settingsOf(options)));
    this.#denied = shared?.denied ?? new Map();
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
    this.#maximumClientData = maximumClientData;
  }

  with(surroundings) {
    const { store, limits = this.#limits, clock = this.#clock } = membersOf(surroundings, "surroundings", ["store", "limits", "clock"]);
    const options = { store, limits, clock, maximumClientData: this.#maximumClientData };
    return new RelyingParty(this.#verifier, options, { party: this.#party, denied: this.#denied });
  }

  get verifier() {
    return this.#verifier;
  }

  get isBroken() {
    return this.#verifier.isBroken;
  }

  get maximumClientData() {
    return this.#maximumClientData;
  }

  async issueChallenge(request) {
    const { purpose, keyID, account, clientAddress, now } = membersOf(request, "request", [...COMMON, "purpose"]);
    const [challenge, expiresAt] = await this.#decide("issueChallenge", now, [
      indexOf(CHALLENGE_PURPOSES, purpose, "purpose"), copyUpTo(MAXIMUM.keyID, keyID, "keyID"), accountOf(account), addressOf(clientAddress),
      random(),
    ]);
    return { challenge, expiresAt };
  }

  async register(request) {
    const { attestation, keyID, challenge, account, clientAddress, now } = membersOf(
      request, "request", [...COMMON, "attestation", "challenge"]);
    const id = copyUpTo(MAXIMUM.keyID, keyID, "keyID");
    const [isNew, registeredAccount, token, expiresAt] = await this.#decide("register", now, [
      copyUpTo(INPUT_LIMITS.attestation, attestation, "attestation"), id, copyUpTo(MAXIMUM.challenge, challenge, "challenge"),
      accountOf(account), addressOf(clientAddress), random(),
    ]);
    return { keyID: id, isNew: isNew === 1, account: registeredAccount, session: sessionOf(token, expiresAt) };
  }

  async authenticate(signed) {
    const { assertion, keyID, challenge, request, account, clientAddress, now } = membersOf(
      signed, "request", [...COMMON, "assertion", "challenge", "request"]);
    const id = copyUpTo(MAXIMUM.keyID, keyID, "keyID");
    const [counter, registeredAccount, token, expiresAt] = await this.#decide("authenticate", now, [
      copyUpTo(INPUT_LIMITS.assertion, assertion, "assertion"), id, copyUpTo(MAXIMUM.challenge, challenge, "challenge"),
      accountOf(account), addressOf(clientAddress), random(), ...this.#signedParts(request),
    ]);
    return { keyID: id, counter, account: registeredAccount, session: sessionOf(token, expiresAt) };
  }

  /** Returns method, target and body of a signed request. Truncates each to one byte more than their common limit. */
  #signedParts(request) {
    const { method, target, body } = membersOf(request, "request", ["method", "target", "body"]);
    if (request === undefined) return [];
    const bytesOf = (value, name) => (typeof value === "string" ? textOf(value, name) : value);
    return Object.entries({ method: bytesOf(method, "request.method"), target: bytesOf(target, "request.target"), body })
      .map(([name, part]) => copyUpTo(this.#maximumClientData, part, `request.${name}`));
  }

  async verifySession(token, options) {
    const [keyID, account, tokenID, issuedAt, expiresAt, validationCategory, version, codeDirectoryHash] =
      await this.#decide("verifySession", nowIn(options), [tokenOf(token)]);
    const bundleVersion = version && textFrom(version);
    return { keyID, account, tokenID, issuedAt, expiresAt, validationCategory, bundleVersion, codeDirectoryHash };
  }

  async endSession({ tokenID, expiresAt }, options) {
    const id = bytes(tokenID, "tokenID");
    if (id.length !== 16) throw new TypeError("tokenID: 16 bytes");
    await this.#decide("endSession", nowIn(options), [id, Number(secondsOf(expiresAt, "expiresAt"))]);
  }

  async unattestedSession(clientAddress, options) {
    const address = addressOf(clientAddress);
    if (address === null) throw new TypeError("clientAddress: an IP address, or bytes");
    return sessionOf(...(await this.#decide("unattestedSession", nowIn(options), [address, random()])));
  }

  async verifyUnattestedSession(token, options) {
    const [issuedAt, expiresAt] = await this.#decide("verifyUnattestedSession", nowIn(options), [tokenOf(token)]);
    return { issuedAt, expiresAt };
  }

  async spendBudget(units, holder, options) {
    const { from, now } = membersOf(options, "options", ["from", "now"]);
    const reserved = wholeNumber(units, "units", 0, Number.MAX_SAFE_INTEGER);
    const [requestsLeft, unitsLeft, resetsAt, ...row] = await this.#decide("spendBudget", now, [
      keyIDOf(holder.keyID), accountOf(holder.account), reserved, ...allowanceOf(from),
    ]);
    let isSettled = false;
    const settle = async (used) => {
      const count = used === null ? null : wholeNumber(used, "used", 0, Number.MAX_SAFE_INTEGER);
      // Only the first call settles. Even if the store failed in that call, the settlement may have been stored, so a
      // second call does nothing.
      if (isSettled) return;
      isSettled = true;
      await this.#decide("settleBudget", now, [...row, reserved, count]);
    };
    return { units: reserved, balance: { requestsLeft, unitsLeft, resetsAt }, settle };
  }

  async revoke(keyID, options) {
    const [isRevoked] = await this.#decide("revoke", nowIn(options), [keyIDOf(keyID)]);
    return isRevoked === 1;
  }

  async revokeKeys(account, options) {
    return (await this.#store.rows("revokeKeys", [namedAccount(account), this.#time(nowIn(options))])).length;
  }

  async keys(account, options) {
    const { after, limit = 100 } = membersOf(options, "options", ["after", "limit"]);
    const start = after === undefined ? new Uint8Array() : keyIDOf(after);
    const rows = await this.#store.rows("selectKeys", [namedAccount(account), start, wholeNumber(limit, "limit", 1, 1_000)]);
    return Promise.all(rows.map((row) => this.#described(row, "selectKeys")));
  }

  async claimDueReceipts(limit, options) {
    const time = this.#time(nowIn(options));
    const most = wholeNumber(limit, "limit", 1, 1_000);
    const [, scope] = decode(this.#party.begin(encode(["receiptScope", 0])));
    const rows = await this.#store.rows("claimDueReceipts", [time, time + RECEIPT_CLAIM, most, scope]);
    const keys = await Promise.allSettled(rows.map((row) => this.#described(row, "claimDueReceipts")));
    const read = keys.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
    // Unreadable rows do not stop the other receipts. But if no row is readable, the store is broken.
    if (read.length === 0 && keys.length > 0) throw keys[0].reason;
    return read;
  }

  async storeReceiptAnswer(due, { status, body }, options) {
    const { risk = () => {}, now } = membersOf(options, "options", ["risk", "now"]);
    if (!Array.isArray(due?.row)) throw new TypeError("due: a key of claimDueReceipts");
    if (typeof risk !== "function") throw new TypeError("risk: a function");
    const [state, askAgainAt] = await this.#decide("storeReceiptAnswer", now, [
      ...due.row, wholeNumber(status, "status", 100, 599), copyUpTo(MAXIMUM.receiptAnswer, body, "body"),
    ], risk);
    return { state: nameOf(state), askAgainAt };
  }

  async removeExpired(limit = 1_000, options) {
    const time = this.#time(nowIn(options));
    const most = wholeNumber(limit, "limit", 1, 1_000_000);
    return { tokens: await removeTokens(this.#store, most, time), budgets: await removeBudgets(this.#store, most, time) };
  }

  async #described(row, operation) {
    let message;
    try {
      message = decode(this.#party.begin(encode(["describeKey", 0, ...row])));
    } catch (error) {
      throw this.isBroken ? error : new StoreError(operation);
    }
    const [, keyID, environment, isAppAttest] = message;
    const [, account, receipt, receiptDueAt, registeredAt, lastUsedAt, revokedAt] = row;
    return {
      keyID, environment: ENVIRONMENT_NAMES[environment], isAppAttest: isAppAttest === 1, account, receipt, receiptDueAt,
      registeredAt, lastUsedAt, revokedAt, row,
    };
  }

  #time(now = this.#clock()) {
    return Number(secondsOf(now));
  }

  #decide(operation, now, values, risk) {
    return decide(this.#party, [operation, this.#time(now), ...values], {
      state: { risk },
      answer: (name, parameters, state) => this.#answer(name, parameters, state),
      refusal: refusalOf,
      abandon: async ({ undo }) => undo && this.#wait(undo),
    });
  }

  /** Answers a question from the limits, from memory or from the store. */
  async #answer(name, parameters, state) {
    const told = (...values) => ({ isTold: true, values });
    switch (name) {
      case "about": state.keyID = parameters[0] ?? state.keyID; return told();
      case "limit": return told(await this.#wait(parameters));
      case "ifStoreFails": state.undo = parameters; return told();
      case "knownDenial": return told(this.#denied.get(nameOf(parameters[0]))?.isConsumed ?? null);
      case "rememberDenial": this.#remember(...parameters); return told();
      case "receipt": {
        const [riskMetric, creationTime, notBefore, expirationTime] = parameters;
        await state.risk({ riskMetric, creationTime, notBefore, expirationTime });
        return told();
      }
      default: return rowOf(this.#store, name, parameters);
    }
  }

  async #wait([action, limit, name, time, burst, perMinute]) {
    if (burst === null || this.#limits === null) return null;
    const seconds = await this.#limits.wait({ action: nameOf(action), limit: nameOf(limit), name, time, burst, perMinute });
    if (seconds === null || (Number.isSafeInteger(seconds) && seconds >= 0)) return seconds;
    throw new TypeError("limits.wait: whole seconds, or null");
  }

  /** If the table is full, forgets the oldest entry, which then costs one more query to the store. */
  #remember(id, expiresAt, isConsumed) {
    if (this.#denied.size >= DENIED) this.#denied.delete(this.#denied.keys().next().value);
    this.#denied.set(nameOf(id), { expiresAt, isConsumed });
  }
}

/** Returns the error of a rejection, whose values Refusals.swift lists. */
function refusalOf([reason, step, status, code, retryAfter, requestsLeft, unitsLeft, resetsAt], { keyID }) {
  const isVerification = typeof reason === "number";
  return new Refusal({
    reason: isVerification ? REASONS[reason & 0xff] ?? "unknown" : nameOf(reason),
    detail: isVerification ? CERTIFICATE_REASONS[reason >> 8] : undefined,
    step: nameOf(step), status, code: nameOf(code), retryAfter, keyID,
    balance: resetsAt === null ? null : { requestsLeft, unitsLeft, resetsAt },
  });
}

const removed = async (store, operation, until, limit) => (await store.rows(operation, [until, limit])).length;
/** The parts of `removeExpired`, which need no module. */
export const removeTokens = (store, limit, time) => removed(store, "removeSomeExpired", time, limit);
export const removeBudgets = (store, limit, time) => removed(store, "removeSomeBudgets", time - CLOCK_MARGIN, limit);

const random = () => crypto.getRandomValues(new Uint8Array(16));
const sessionOf = (token, expiresAt) => ({ token: nameOf(token), expiresAt });

/** Returns the values of a purchase's allowance; none for the key's own budget. */
function allowanceOf(allowance) {
  if (allowance === undefined || allowance === null) return [];
  if (!(allowance instanceof Allowance)) throw new TypeError("from: an allowance of Purchases, or null");
  return allowance.values;
}

/** Returns the bytes of an AccountID, at most one byte more than the limit; null for no account. */
function accountOf(account) {
  if (account === undefined || account === null) return null;
  return copyUpTo(MAXIMUM.account, typeof account === "string" ? textOf(account, "account") : account, "account");
}

function namedAccount(account) {
  const name = accountOf(account);
  if (name === null || name.length > MAXIMUM.account) throw new TypeError("account: at most 256 bytes");
  return name;
}

function addressOf(address) {
  if (address === undefined || address === null) return null;
  const name = typeof address === "string" ? clientAddressOf(address) : bytes(address, "option");
  if (!name) throw new TypeError("clientAddress: an IP address, or bytes");
  return name;
}

/** A missing token is an invalid token, like any text that is too long. */
function tokenOf(token) {
  if (token === undefined || token === null) return "";
  const encoded = typeof token === "string" ? new TextEncoder().encode(token) : token;
  return copyUpTo(MAXIMUM.token, encoded, "token");
}

export { BrokenInstanceError, PureAttest, Refusal, RefusedError, StoreError };
