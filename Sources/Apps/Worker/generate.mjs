/**
 * `POST /generate`: a language model behind a budget. A session token or a request signature identifies the device's
 * key. The Worker sends only the JSON members that the settings allow to the model (the upstream), with the server's
 * own API key. It forwards the answer unchanged, and counts the usage.
 */

import { isWhole } from "../../Bindings/JavaScript/Verifier/arguments.mjs";
import { jsonObject } from "./body.mjs";
import { OWN_MEMBERS, UNBOUNDED_MEMBERS, areReserves, canBePassedOn, costOfParts } from "./prompt.mjs";
import { Fault } from "./refusal.mjs";
import { nextChallenge, provenKey } from "./routes.mjs";
import { passThrough } from "./stream.mjs";

const MEMBERS = ["url", "models", "maximumTokens", "bytesPerToken", "parts", "tokensMember", "members", "usage", "seconds", "keyHeader", "headers"];

/** Parses the settings GENERATE and GENERATE_KEY; returns undefined if they are not set. */
export function generationOf(env, budget) {
  if (env.GENERATE === undefined) return undefined;
  const {
    url, models, maximumTokens, bytesPerToken = 1, parts = {}, tokensMember = "max_tokens", members = [], usage = "usage.total_tokens",
    seconds = 120, keyHeader = "authorization", headers = {}, ...others
  } = env.GENERATE;
  const areTexts = (list) => Array.isArray(list) && list.every((text) => typeof text === "string" && text !== "");
  const fault = [
    [Object.keys(others).length > 0, `one of ${MEMBERS.join(", ")}`],
    [!isAddress(url), "url: https://…"],
    [!areTexts(models) || models.length === 0, "models: one name or more"],
    [!isWhole(maximumTokens, 1, Number.MAX_SAFE_INTEGER), "maximumTokens: 1 or more"],
    [!isWhole(bytesPerToken, 0, 1_000), "bytesPerToken: 0 to 1000"],
    [!areTexts([tokensMember, usage, keyHeader, ...Object.values(headers)]), "tokensMember, usage, keyHeader, headers: texts"],
    [OWN_MEMBERS.includes(tokensMember), "tokensMember: none that the Worker writes"],
    [
      Object.keys(headers).some((name) => ["content-type", keyHeader.toLowerCase()].includes(name.toLowerCase())),
      "headers: none that the Worker writes",
    ],
    [!areTexts(members), "members: names"],
    ...[members].flat().flatMap((name) => [
      [[...OWN_MEMBERS, tokensMember].includes(name), `members: ${name} is written by the Worker`],
      [UNBOUNDED_MEMBERS.includes(name), `members: ${name} may make a request cost more than its reserve`],
    ]),
    [!areReserves(parts), "parts: the type of a part other than text, with a reserve of 1 to 10000000 tokens"],
    [!isWhole(seconds, 1, 900), "seconds: 1 to 900"],
  ].find(([isWrong]) => isWrong);
  if (fault) throw new TypeError(`GENERATE: ${fault[1]}`);
  const key = env.GENERATE_KEY;
  // Reject an invalid key here, because an error message about the header, and therefore the log, would contain it.
  if (typeof key !== "string" || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)) throw new TypeError("GENERATE_KEY: the upstream's key");
  if (!budget) throw new TypeError("GENERATE: needs a BUDGET");
  if (budget.units < maximumTokens) throw new TypeError("GENERATE: maximumTokens is more than BUDGET.units, so that nothing would be admitted");
  const authorization = { [keyHeader]: keyHeader.toLowerCase() === "authorization" ? `Bearer ${key}` : key };
  return {
    url, models, maximumTokens, bytesPerToken, parts, tokensMember, members, usage: usage.split("."), seconds,
    headers: new Headers({ ...headers, "content-type": "application/json", ...authorization }),
  };
}

/** Accepts https, or http on this machine. */
function isAddress(text) {
  if (typeof text !== "string" || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1"].includes(hostname));
}

export async function generate(context) {
  const { party, purchases, request, bytes, generation, entry } = context;
  const who = await provenKey(context);
  const prompt = promptOf(generation, jsonObject(request, bytes));
  const reservation = await party.spendBudget(prompt.units, who, { from: await purchases?.allowance(who.keyID) });
  const { requestsLeft, unitsLeft, resetsAt } = reservation.balance;
  const headers = {
    ...(await nextChallenge(context, who.keyID)),
    "attest-requests-left": String(requestsLeft), "attest-units-left": String(unitsLeft), "attest-budget-resets": String(resetsAt),
  };
  entry.reserved = prompt.units;
  return { response: await answerOf(context, { text: prompt.text, reservation, headers }) };
}

/**
 * Returns the request to the upstream, and the maximum number of units that it uses: the answer's tokens, one token per
 * `bytesPerToken` prompt bytes, and the reserves of the parts. The last two cover the prompt if the client disconnects
 * before the answer reports its usage. Omits members that are not allowed. Validates the others, except `members`, which
 * are copied.
 */
function promptOf({ models, maximumTokens, bytesPerToken, parts, tokensMember, members }, body) {
  const { malformed } = Fault;
  const { messages } = body;
  const [model, stream, tokens] = [body.model ?? models[0], body.stream ?? false, body[tokensMember] ?? maximumTokens];
  if (!models.includes(model)) throw malformed("model");
  const costOfMessages = costOfParts(messages, parts);
  if (!isWhole(tokens, 1, maximumTokens)) throw malformed(tokensMember);
  if (typeof stream !== "boolean") throw malformed("stream");
  const allowed = Object.fromEntries(members.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]));
  for (const [name, value] of Object.entries(allowed)) if (!canBePassedOn(value)) throw malformed(name);
  // Streams report their usage only with this option.
  const streaming = stream ? { stream, stream_options: { include_usage: true } } : { stream };
  const text = new TextEncoder().encode(JSON.stringify({ ...allowed, model, messages, [tokensMember]: tokens, ...streaming }));
  return { text, units: tokens + costOfMessages + (bytesPerToken === 0 ? 0 : Math.ceil(text.length / bytesPerToken)) };
}

/**
 * Forwards the upstream's answer, or answers 503. If the upstream rejected the request, it generated nothing, so the
 * reservation is released.
 */
async function answerOf(context, { text, reservation, headers }) {
  const { generation, fetchUpstream, waitUntil, log, entry } = context;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error("the upstream took too long")), generation.seconds * 1_000);
  const settled = (ended, used) => log({ route: entry.route, keyID: entry.keyID, outcome: "settled", ended, reserved: reservation.units, used });
  let answer;
  try {
    answer = await fetchUpstream(generation.url, {
      method: "POST", headers: generation.headers, body: text, redirect: "manual", signal: abort.signal,
    });
  } catch (error) {
    clearTimeout(timer);
    // Even if `fetch` throws, the model may have received the prompt, so the reservation stays.
    settled(abort.signal.aborted ? "timeLimit" : "noAnswer", null);
    throw new Error(`the upstream: ${error?.message ?? "no answer"}`);
  }
  if (!answer.ok) {
    clearTimeout(timer);
    await answer.body?.cancel();
    await reservation.settle(0);
    settled("upstreamRefused", 0);
    throw new Error(`the upstream answered ${answer.status}`);
  }
  const type = answer.headers.get("content-type") ?? "application/octet-stream";
  const { readable, whole } = passThrough(answer.body ?? new Response("").body, { type, usage: generation.usage, signal: abort.signal }, async (used) => {
    // If the answer reports no valid number of units, the reservation stays.
    if (isWhole(used, 0, Number.MAX_SAFE_INTEGER)) await reservation.settle(used);
  });
  waitUntil(whole.then(({ ended, used }) => settled(ended, used)).finally(() => clearTimeout(timer)));
  return new Response(readable, { status: 200, headers: { ...headers, "content-type": type, "cache-control": "no-store" } });
}
