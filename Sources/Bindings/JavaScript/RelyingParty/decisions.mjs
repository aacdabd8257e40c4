/** Runs the decisions of PureAttestServerMessages and PureAttestPurchasesMessages with the store's answers. */

import { RefusedError } from "../Verifier/errors.mjs";
import { decode, encode, nameOf } from "./wire.mjs";

/** The store returned rows that do not fit the operation. */
export class StoreError extends Error {
  constructor(operation) {
    super(`the store returned a malformed row for ${operation}`);
    this.name = "StoreError";
    this.operation = operation;
  }
}

/**
 * Drops the decisions of requests that the platform cancelled. (A Worker's request is cancelled when its client
 * disconnects.) Nothing resumes such a decision, so the module would keep its objects forever.
 */
const cancelled = globalThis.FinalizationRegistry && new FinalizationRegistry(({ partner, number }) => {
  try {
    partner.drop(number);
  } catch {
    // Only a broken instance throws here, and no later request uses a broken instance.
  }
});

/**
 * Runs a decision: answers its questions in order until it accepts the request, and returns its values. Throws if it
 * rejects the request. If an answer fails, the module forgets the decision.
 *
 * @param {object} partner functions of a module (instance.mjs), and `isBroken`
 * @param {unknown[]} request the operation's name, the time, and the arguments
 * @param {object} shell `answer` returns the values that answer a question, and whether they come from this package;
 * `refusal` returns the error of a rejection; `abandon` undoes what preceded an error. `state` belongs to this decision
 */
export async function decide(partner, request, { state, answer, refusal, abandon = async () => {} }) {
  const waiting = { partner };
  let reply;
  try {
    reply = partner.begin(encode(request));
  } catch (error) {
    throw error instanceof RefusedError ? new TypeError(`${request[0]}: malformed arguments`) : error;
  }
  cancelled?.register(state, waiting, waiting);
  try {
    for (;;) {
      const [number, ...rest] = decode(reply);
      if (number === 0) return rest;
      if (number === 1) throw refusal(rest, state);
      const [name, ...parameters] = rest;
      waiting.number = number;
      try {
        reply = await resume(partner, number, await answer(nameOf(name), parameters, state), nameOf(name));
      } catch (error) {
        await forget(partner, number, () => abandon(state));
        throw error;
      }
    }
  } finally {
    cancelled?.unregister(waiting);
  }
}

function resume(partner, number, { isTold, values }, name) {
  try {
    return partner.answer(number, encode(values));
  } catch (error) {
    // If the instance is intact and the values came from the store, the store's values are malformed.
    throw isTold || partner.isBroken ? error : new StoreError(name);
  }
}

/** Forgets a decision. Ignores further errors, because the caller's error matters more. */
async function forget(partner, number, abandon) {
  try {
    if (!partner.isBroken) partner.drop(number);
    await abandon();
  } catch {
    // If giving back the allowance fails, the limiter counts this request although it failed.
  }
}

/** Asks a store, and returns the answer of its first row. */
export async function rowOf(store, name, parameters) {
  const rows = await store.rows(name, parameters);
  // A row without columns would look like an empty result, and an ended session would then be accepted.
  if (!Array.isArray(rows) || !rows.every((row) => Array.isArray(row) && row.length > 0)) throw new StoreError(name);
  return { isTold: false, values: rows[0] ?? [] };
}
