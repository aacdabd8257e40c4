/** Tests the wrappers and routes of http.mjs with fetch-style requests. */

import assert from "node:assert/strict";
import { base64, bytesOf, FailingStore, signedBytes } from "./party-support.mjs";

export async function runHTTP(bench) {
  const { MemoryStore, RequestFault, answerTo, attestRoutes, reusing, withAssertion, withSession } = bench.library;
  const { device } = bench;
  const keyID = base64(device.keyID);
  const url = "https://app.example";
  const errors = [];
  const onError = (error) => { errors.push(error); };
  const post = (path, body, headers = { "content-type": "application/json" }) =>
    new Request(`${url}${path}`, {
      method: "POST",
      headers,
      body: typeof body === "object" && !(body instanceof Uint8Array) ? JSON.stringify(body) : body,
    });
  const answer = async (promise) => {
    const response = await promise;
    const text = await response.text();
    return { status: response.status, headers: response.headers, ...(text.startsWith("{") ? JSON.parse(text) : { text }) };
  };
  const is = (response, status, error) => assert.deepEqual([response.status, response.error], [status, error]);

  const enrol = async (routes) => {
    const { challenge } = await answer(routes(post("/challenge", { purpose: "attestation", keyID })));
    return answer(routes(post("/attest", { keyID, challenge, attestation: base64(device.attest(bytesOf(challenge))) })));
  };
  const signedHeaders = (challenge, method, target, body, counter) => ({
    "attest-key": keyID,
    "attest-challenge": challenge,
    "attest-assertion": base64(device.assert(signedBytes(method, target, body, bytesOf(challenge), device.keyID), counter)),
  });

  await bench.check("routes enrol, open sessions and carry the next challenge", async () => {
    const party = await bench.party(new MemoryStore());
    const routes = attestRoutes(party, { onError });
    assert.equal(await routes(new Request(`${url}/challenge`)), undefined);
    assert.equal(await routes(post("/other", {})), undefined);
    const registered = await enrol(routes);
    assert.deepEqual([registered.status, registered.isNew, registered.keyID], [200, true, keyID]);
    assert.equal(registered.headers.get("cache-control"), "no-store");
    const challenge = registered.headers.get("attest-challenge");
    const session = await answer(routes(post("/session", { keyID, challenge, assertion: base64(device.assert(bytesOf(challenge), 1)) })));
    assert.deepEqual([session.status, typeof session.token, bytesOf(session.headers.get("attest-challenge")).length], [200, "string", 92]);
    const prefixed = attestRoutes(() => party, { prefix: "/app", account: () => "user 1", clientAddress: () => "192.0.2.1" });
    assert.equal(await prefixed(post("/challenge", {})), undefined);
    assert.equal((await answer(prefixed(post("/app/challenge", { purpose: "assertion", keyID })))).status, 200);
  });

  await bench.check("malformed messages", async () => {
    const party = await bench.party(new MemoryStore());
    const routes = attestRoutes(party, { onError });
    const good = { purpose: "assertion", keyID };
    const malformed = [
      "",
      "{",
      "null",
      "[]",
      "5",
      '"x"',
      {},
      { ...good, more: "x" },
      { purpose: "assertion" },
      { ...good, keyID: 5 },
      { ...good, keyID: "AA==" },
      { ...good, purpose: "x" },
      { ...good, keyID: `${keyID} ` },
      { ...good, keyID: keyID.replace(/=$/, "==") },
      `{"purpose":"assertion","purpose":"assertion","keyID":"${keyID}"}`,
      Uint8Array.of(0x7b, 0xff, 0x7d),
      `\ufeff${JSON.stringify(good)}`,
      { __proto__: null, constructor: "x", keyID },
    ];
    for (const body of malformed) is(await answer(routes(post("/challenge", body))), 400, "malformedRequest");
    is(await answer(routes(post("/challenge", good, { "content-type": "text/plain" }))), 415, "unsupportedMediaType");
    is(await answer(routes(post("/challenge", " ".repeat(1_025)))), 413, "tooLarge");
    is(await answer(routes(post("/attest", "x".repeat(98_305)))), 413, "tooLarge");
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    for (const spelling of [keyID, keyID.replaceAll("+", "-").replaceAll("/", "_").replace("=", "")]) {
      assert.equal((await answer(routes(post("/challenge", { ...good, keyID: spelling }, headers)))).status, 200);
    }
    const unknown = attestRoutes(party, { clientAddress: () => "unknown", onError });
    is(await answer(unknown(post("/challenge", good))), 400, "malformedRequest");
    assert.ok(errors.at(-1) instanceof RequestFault);
  });

  await bench.check("a session passes to the handler", async () => {
    const store = new FailingStore(new MemoryStore());
    const party = await bench.party(store, { budget: { days: 1, requests: 1, units: 10 } });
    const { token } = await enrol(attestRoutes(party));
    const handler = withSession((env) => env.party, async (request, session, env, context) => {
      if (new URL(request.url).pathname === "/fetched") return Response.redirect(url);
      if (new URL(request.url).pathname === "/fails") throw new Error("of the app");
      const { balance } = await party.spendBudget(10, session);
      return Response.json({ key: base64(session.keyID), balance, env: env.name, context });
    }, { onError });
    const ask = (authorization, path = "/") =>
      answer(handler(new Request(`${url}${path}`, { headers: authorization ? { authorization } : {} }), { party, name: "e" }, "c"));
    const accepted = await ask(`bearer ${token}`);
    assert.deepEqual([accepted.key, accepted.env, accepted.context, accepted.balance.unitsLeft], [keyID, "e", "c", 0]);
    assert.equal(bytesOf(accepted.headers.get("attest-challenge")).length, 92);
    const spent = await ask(`Bearer ${token}`);
    is(spent, 429, "budgetSpent");
    assert.deepEqual([spent.requestsLeft, spent.unitsLeft, Number(spent.headers.get("retry-after"))], [0, 0, spent.resetsAt - bench.now]);
    const redirected = await ask(`Bearer ${token}`, "/fetched");
    assert.deepEqual([redirected.status, bytesOf(redirected.headers.get("attest-challenge")).length], [302, 92]);
    await assert.rejects(ask(`Bearer ${token}`, "/fails"), /of the app/);
    for (const wrong of [undefined, "Bearer", "Bearer x.y.z", `Basic ${token}`, `Bearer ${token} x`]) {
      const refused = await ask(wrong);
      is(refused, 401, "refused");
      const headers = ["www-authenticate", "cache-control", "attest-challenge"].map((name) => refused.headers.get(name));
      assert.deepEqual(headers, ["Bearer", "no-store", null]);
      assert.match(refused.headers.get("content-type"), /^application\/json/);
    }
    store.failAt(1);
    is(await ask(`Bearer ${token}`), 503, "serverUnavailable");
    assert.equal(errors.at(-1), store.error);
  });

  await bench.check("a signed request passes with its body", async () => {
    const party = await bench.party(new MemoryStore());
    const registered = await enrol(attestRoutes(party));
    const echo = async (request, { counter }) => Response.json({ body: await request.text(), counter, method: request.method });
    const handler = withAssertion(party, echo, { onError });
    const body = new TextEncoder().encode('{"amount":1}');
    let challenge = registered.headers.get("attest-challenge");
    const send = async (counter, { method = "POST", target = "/pay?to=a%20b&x", sent = body, signed = body, headers = {} } = {}) => {
      const all = { ...signedHeaders(challenge, method, target, signed, counter), ...headers };
      const request = new Request(`${url}${target}#part`, { method, headers: all, ...(method === "POST" && { body: sent }) });
      const response = await answer(handler(request));
      challenge = response.headers.get("attest-challenge") ?? challenge;
      return response;
    };
    const first = await send(1);
    assert.deepEqual([first.status, first.body, first.counter], [200, '{"amount":1}', 1]);
    assert.equal((await send(2, { method: "GET", signed: new Uint8Array() })).method, "GET");
    assert.equal((await send(3, { sent: new Uint8Array(), signed: new Uint8Array() })).status, 200);
    assert.equal((await send(4, { sent: new Uint8Array(65_000), signed: new Uint8Array(65_000) })).status, 200);
    is(await send(5, { sent: new TextEncoder().encode('{"amount":2}') }), 401, "refused");
    is(await send(5, { sent: new Uint8Array(65_536), signed: body }), 413, "tooLarge");
    is(await send(5, { sent: new Uint8Array(65_536 - 4 - "/pay?to=a%20b&x".length + 1), signed: body }), 413, "tooLarge");
    is(await send(5, { target: `/${"a".repeat(65_536)}` }), 413, "tooLarge");
    for (const headers of [{ "attest-key": "AA==" }, { "attest-key": "" }, { "attest-challenge": "%" }, { "attest-assertion": "a" }]) {
      is(await send(5, { headers }), 400, "malformedRequest");
    }
    is(await answer(handler(new Request(url))), 400, "malformedRequest");
    is(await send(4), 409, "overtaken");
    assert.equal((await send(5)).counter, 5);
    // The wrapper counts the bytes of a stream without a declared length as they arrive, and stops reading at the
    // limit.
    const headers = signedHeaders(challenge, "POST", "/pay", body, 6);
    // An ArrayBuffer has no length, so it counts as too large.
    for (const part of [new Uint8Array(16_384), new ArrayBuffer(16_384)]) {
      let pulled = 0;
      const endless = new ReadableStream({
        pull(controller) {
          pulled += 1;
          controller.enqueue(part);
        },
      });
      const streamed = new Request(`${url}/pay`, { method: "POST", body: endless, duplex: "half", headers });
      is(await answer(handler(streamed)), 413, "tooLarge");
      assert.ok(pulled <= 8, `${pulled} parts`);
    }
    const small = withAssertion(party, () => new Response("ok"), { maximumBody: 4, target: () => "/other", onError });
    const sendSmall = (body) =>
      answer(small(new Request(url, { method: "POST", body, headers: signedHeaders(challenge, "POST", "/other", body, 6) })));
    is(await sendSmall("12345"), 413, "tooLarge");
    assert.equal((await sendSmall("1234")).text, "ok");
  });

  await bench.check("answers to errors", async () => {
    const answers = (error, status, word, headers = {}) =>
      assert.deepEqual(answerTo(error), { status, body: { error: word }, headers: { "cache-control": "no-store", ...headers } });
    for (const error of [new Error("x"), undefined, "text", new TypeError("x"), { status: 200, code: "ok" }]) {
      answers(error, 503, "serverUnavailable");
    }
    answers(new RequestFault("tooLarge"), 413, "tooLarge");
    const party = await bench.party(new MemoryStore());
    answers(await bench.refusal(party.verifySession("")), 401, "refused", { "www-authenticate": "Bearer" });
    for (const wrong of [{ maximumBody: "1" }, { target: "/" }, { account: "user" }, { clientAddress: 5 }, { onErr: () => {} }]) {
      assert.throws(() => withAssertion(party, () => {}, wrong), TypeError);
    }
    assert.throws(() => withSession({}, () => {}), TypeError);
    assert.throws(() => withSession(party, undefined), TypeError);
    assert.throws(() => attestRoutes(undefined), TypeError);
    assert.throws(() => attestRoutes(party, { account: 5 }), TypeError);
  });

  await bench.check("a party that is made once, and again after a failure", async () => {
    let made = 0;
    const broken = { isBroken: false };
    const party = reusing(async (env) => {
      made += 1;
      if (made === 1) throw new Error("no");
      return made === 2 ? broken : { isBroken: false, env };
    });
    await assert.rejects(party, /no/);
    assert.deepEqual(await Promise.all([party(), party()]), [broken, broken]);
    broken.isBroken = true;
    const [first, second] = await Promise.all([party(1), party(2)]);
    assert.equal(first, second);
    assert.equal(made, 3);
    // In Workers, the promise of a cancelled request never settles. Later requests share the next party.
    let started = 0;
    const stalled = reusing(() => {
      started += 1;
      return started === 1 ? new Promise(() => {}) : { isBroken: false };
    });
    stalled();
    const [third, fourth] = await Promise.all([stalled(), stalled()]);
    assert.equal(third, fourth);
    assert.equal(started, 2);
    // If creating the party fails, all requests that wait for the party fail too.
    let failed = 0;
    const failing = reusing(async () => { failed += 1; throw new Error("no"); });
    for (const { status } of await Promise.allSettled([failing(), failing(), failing()])) assert.equal(status, "rejected");
    assert.equal(failed, 1);
    // If the function returns the same broken party each time, `reusing` returns that party instead of trying again
    // forever.
    assert.equal(await reusing(() => broken)(), broken);
  });
}
