// Tests `POST /generate`, which streams from a model behind a budget: node worker-generate.mjs TEST_MODULE PURE_ATTEST.
import assert from "node:assert/strict";
import { passThrough } from "../stream.mjs";
import { address, answerWith, close, json, model, received, stream, streamed } from "./model.mjs";
import {
  attestation, bearer, blob, check, clock, database, enrolled, env, handlerFor, is, log, post, request, rows, runChecks, secondDatabase,
  sessionToken, signedHeaders, start, trusting,
} from "./worker-support.mjs";

const resetsAt = (Math.floor(start / 86_400) + 1) * 86_400;
const settings = (changes = {}, budget = {}) => ({
  ...env, GENERATE_KEY: "the upstream's secret", BUDGET: { days: 1, requests: 3, units: 1_000, ...budget },
  // Most checks count only answer tokens.
  GENERATE: { url: address, models: ["small", "large"], maximumTokens: 400, bytesPerToken: 0, seconds: 5, ...changes },
});
/** A database that passes the statement that settles a budget to `run`. */
const settlingBy = (run) => ({
  prepare: (sql) => (sql.startsWith("UPDATE budget_periods")
    ? { bind: (...values) => ({ all: () => run(database.prepare(sql).bind(...values)) }) } : database.prepare(sql)),
});
const until = async (body) => {
  for (let tries = 0; !(await body()); tries += 1) {
    assert.ok(tries < 400, "the condition does not become true");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

await runChecks("the Worker's language model", async () => {
  const clear = () => database.prepare("DELETE FROM budget_periods").run();
  const { keyID } = await enrolled(1);
  const session = await sessionToken(1, keyID, 1);
  const holder = Uint8Array.of(1, 1, 0, 1, ...new Uint8Array(blob(keyID))).buffer;
  const row = () => database.prepare("SELECT requests, units FROM budget_periods WHERE holder = ?1").bind(holder).first();
  const waiting = [];
  const execution = { waitUntil: (work) => waiting.push(work) };
  const prompt = { messages: [{ role: "user", content: "Say hello." }], max_tokens: 300 };

  const send = (body, { at = settings(), headers = bearer(session), party = handlerFor(), raw } = {}) => party.fetch(
    new Request("https://worker.example/generate", {
      method: "POST", headers: { "content-type": "application/json", ...headers }, body: raw ?? JSON.stringify(body), duplex: "half",
    }), at, execution);
  const ask = async (body, options) => {
    const response = await send(body, options);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const refusal = async (body, options) => {
    const response = await send(body, options);
    return { ...(await response.json()), status: response.status, retryAfter: response.headers.get("retry-after") };
  };
  const settled = async () => {
    await Promise.all(waiting.splice(0));
    return log.filter(({ outcome }) => outcome === "settled").at(-1);
  };
  const generating = (name, body) => check(name, async () => {
    await clear();
    received.length = 0;
    await body();
  });

  await generating("an answer passes through unchanged, and its usage is charged", async () => {
    model.answer = json(120);
    const answer = await ask(prompt);
    assert.deepEqual(JSON.parse(answer.text), { choices: [{ message: { content: "Hello" } }], usage: { total_tokens: 120 } });
    assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "application/json"]);
    assert.deepEqual(
      ["requests-left", "units-left", "budget-resets"].map((name) => answer.headers.get(`attest-${name}`)),
      ["2", "700", String(resetsAt)]);
    assert.equal(Buffer.from(answer.headers.get("attest-challenge"), "base64").length, 92);
    const { ended, reserved, used } = await settled();
    assert.deepEqual([ended, reserved, used], ["whole", 300, 120]);
    assert.deepEqual(await row(), { requests: 1, units: 120 });
  });

  await generating("a stream passes through event by event, without waiting for the next", async () => {
    const gates = [];
    model.answer = async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      for (const part of streamed(77)) {
        response.write(part);
        await new Promise((resolve) => gates.push(resolve));
      }
      response.end();
    };
    const response = await send({ ...prompt, stream: true });
    const reader = response.body.getReader();
    for (const [index, part] of streamed(77).entries()) {
      assert.equal(Buffer.from((await reader.read()).value).toString(), part);
      assert.equal(gates.length, index + 1);
      // The whole reservation stays charged until the answer ends.
      assert.deepEqual(await row(), { requests: 1, units: 300 });
      gates[index]();
    }
    assert.equal((await reader.read()).done, true);
    // Settled before the client sees the end of the answer, so its next request finds the new balance.
    assert.deepEqual(await row(), { requests: 1, units: 77 });
    assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
    assert.equal((await settled()).ended, "whole");
    assert.deepEqual([received[0].body.stream, received[0].body.stream_options], [true, { include_usage: true }]);
  });

  await generating("the Worker sends the model only what the settings allow, and none of the client's headers", async () => {
    model.answer = json(1);
    const body = { ...prompt, temperature: 0.5, n: 50, user: "x", top_p: 1, stream_options: { include_usage: false } };
    const at = settings({ members: ["temperature", "seed"], headers: { "x-version": "7" } });
    await ask(body, { at, headers: { ...bearer(session), cookie: "a=b", "x-forwarded-for": "192.0.2.1" } });
    assert.deepEqual(received[0].body, { temperature: 0.5, model: "small", messages: prompt.messages, max_tokens: 300, stream: false });
    assert.equal(received[0].headers.authorization, "Bearer the upstream's secret");
    const sent = ["x-version", "cookie", "x-forwarded-for", "attest-key"].map((name) => received[0].headers[name]);
    assert.deepEqual(sent, ["7", undefined, undefined, undefined]);
    assert.ok(!JSON.stringify(received[0]).includes(session));
    const other = settings({ tokensMember: "max_completion_tokens", keyHeader: "x-api-key", usage: "usage.output_tokens" });
    model.answer = answerWith(
      JSON.stringify({ usage: { output_tokens: 9, total_tokens: 5 } }), { headers: { "set-cookie": "secret", server: "upstream" } });
    const answer = await ask({ messages: prompt.messages, model: "large", max_tokens: 1 }, { at: other });
    assert.deepEqual(received[1].body, { model: "large", messages: prompt.messages, max_completion_tokens: 400, stream: false });
    assert.deepEqual([received[1].headers["x-api-key"], received[1].headers.authorization], ["the upstream's secret", undefined]);
    assert.deepEqual([answer.headers.get("set-cookie"), answer.headers.get("server")], [null, null]);
    await settled();
    assert.deepEqual(await row(), { requests: 2, units: 10 });
    assert.ok(!JSON.stringify(log).includes("upstream's secret"));
  });

  await generating("a signed request is accepted, once", async () => {
    model.answer = json(5);
    const raw = JSON.stringify(prompt);
    const headers = await signedHeaders(1, keyID, 2, "/generate", raw);
    is(await refusal(prompt, { headers, raw: raw.replace("hello", "Hello") }), 401, "refused", "invalidSignature");
    assert.equal(await rows("budget_periods"), 0);
    assert.equal((await ask(prompt, { headers, raw })).status, 200);
    is(await refusal(prompt, { headers, raw }), 409, "consumed");
    await settled();
    assert.deepEqual(await row(), { requests: 1, units: 5 });
    assert.equal(received.length, 1);
  });

  await generating("an exhausted budget is reported to its key, with the end of the period", async () => {
    model.answer = json(1);
    for (let count = 0; count < 3; count += 1) assert.equal((await ask(prompt)).status, 200);
    await settled();
    const answer = await refusal(prompt);
    assert.deepEqual(answer, {
      error: "budgetSpent", requestsLeft: 0, unitsLeft: 997, resetsAt, status: 429, retryAfter: String(resetsAt - start),
    });
    assert.equal(received.length, 3);
    // Other clients do not see the balance. Other keys and other routes are not affected.
    assert.deepEqual(await refusal(prompt, { headers: bearer("a.b.c") }), { error: "refused", status: 401, retryAfter: null });
    const other = { party: trusting(2), at: settings() };
    const stranger = await attestation(2, other);
    const { token } = await post("/attest", stranger, other);
    assert.equal((await ask(prompt, { ...other, headers: bearer(token) })).status, 200);
    assert.equal((await request("GET", "/protected", undefined, { headers: bearer(session) })).status, 200);
    await settled();
  });

  await generating("a member that is null has its default", async () => {
    model.answer = json(1);
    assert.equal((await ask({ messages: prompt.messages, model: null, max_tokens: null, stream: null })).status, 200);
    assert.deepEqual(received[0].body, { model: "small", messages: prompt.messages, max_tokens: 400, stream: false });
    await settled();
  });

  await generating("of concurrent requests for the rest of a budget, one reaches the model", async () => {
    model.answer = json(400);
    const answers = await Promise.all([database, secondDatabase, database, secondDatabase].map(
      (DB) => ask({ ...prompt, max_tokens: 400 }, { at: { ...settings({}, { units: 400, requests: 100 }), DB } })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 429, 429, 429]);
    assert.equal(received.length, 1);
    await settled();
  });

  await generating("malformed and unauthenticated requests cost nothing", async () => {
    for (const changes of [
      { model: "huge" }, { model: ["small"] }, { messages: [] }, { messages: "x" }, { messages: undefined }, { max_tokens: 0 },
      { max_tokens: 401 }, { max_tokens: -5 }, { max_tokens: "5" }, { max_tokens: 1.5 }, { stream: "true" }, { stream: 1 },
    ]) is(await refusal({ ...prompt, ...changes }), 400, "malformedRequest");
    for (const raw of ["", "[]", "null", "{", '"x"', Buffer.from([0x7b, 0xff, 0x7d])]) is(await refusal({}, { raw }), 400, "malformedRequest");
    const passing = { at: settings({ members: ["temperature", "response_format"] }) };
    const nested = (depth) => `"response_format":${"[".repeat(depth)}${"]".repeat(depth)}`;
    for (const member of ['"temperature":1e400', '"temperature":"\\ud800"', '"temperature":{"\\udc00":1}', nested(64), nested(20_000)]) {
      is(await refusal({}, { ...passing, raw: JSON.stringify(prompt).replace(/}$/, `,${member}}`) }), 400, "malformedRequest");
    }
    is(await refusal(prompt, { headers: { ...bearer(session), "content-type": "text/plain" } }), 415, "unsupportedMediaType");
    is(await refusal({ ...prompt, messages: [{ role: "user", content: "x".repeat(65_536) }] }), 413, "tooLarge");
    for (const headers of [{}, bearer("x"), bearer((await post("/unattested")).token)]) is(await refusal(prompt, { headers }), 401, "refused");
    is(await refusal(prompt, { at: env }), 404, "notFound");
    is(await request("GET", "/generate"), 404, "notFound");
    await database.prepare("UPDATE attested_keys SET revoked_at = 1 WHERE key_id = ?1").bind(blob(keyID)).run();
    is(await refusal(prompt), 401, "refused", "deniedToken");
    await database.prepare("UPDATE attested_keys SET revoked_at = NULL").run();
    assert.deepEqual([await rows("budget_periods"), received.length], [0, 0]);
  });

  await generating("a request that the upstream rejects counts, but costs no units", async () => {
    for (const status of [400, 401, 429, 500, 503]) {
      await clear();
      model.answer = answerWith('{"error": "the upstream\'s own words", "usage": {"total_tokens": 900}}', { status });
      is(await refusal(prompt), 503, "serverUnavailable", `the upstream answered ${status}`);
      assert.deepEqual([(await settled()).ended, await row()], ["upstreamRefused", { requests: 1, units: 0 }]);
    }
    await clear();
    // A redirect would send the key to another address.
    model.answer = answerWith("", { status: 307, headers: { location: `${address}/elsewhere` } });
    is(await refusal(prompt), 503, "serverUnavailable");
    assert.equal(received.length, 6);
  });

  await generating("if fetch throws, the whole reserve is charged, because the upstream may have received the request", async () => {
    is(await refusal(prompt, { at: settings({ url: "http://127.0.0.1:9/" }) }), 503, "serverUnavailable");
    assert.deepEqual([(await settled()).used, await row()], [null, { requests: 1, units: 300 }]);
    model.answer = async (response) => response.destroy();
    is(await refusal(prompt), 503, "serverUnavailable");
    assert.equal(received.length, 1);
    assert.deepEqual([(await settled()).ended, await row()], ["noAnswer", { requests: 2, units: 600 }]);
    const errors = [new TypeError("fetch failed"), new Error("Network connection lost."), new DOMException("aborted", "AbortError"), "text"];
    for (const error of errors) {
      await clear();
      const party = handlerFor({}, { fetch: async () => { throw error; } });
      is(await refusal(prompt, { party }), 503, "serverUnavailable");
      assert.deepEqual([(await settled()).used, await row()], [null, { requests: 1, units: 300 }]);
    }
  });

  await generating("an answer without a body reports no usage", async () => {
    model.answer = async (response) => response.writeHead(204).end();
    assert.deepEqual([(await ask(prompt)).status, (await settled()).ended], [200, "whole"]);
    assert.deepEqual(await row(), { requests: 1, units: 300 });
  });

  await generating("the whole reserve is charged without usage, or if the upstream breaks off or the client goes away", async () => {
    const rest = async (ended, units = 300) => {
      assert.deepEqual([(await settled()).ended, await row()], [ended, { requests: 1, units }]);
      await clear();
    };
    const unclear = [
      "{}", "", "null", "{", '{"usage": null}', '{"usage": {"total_tokens": "5"}}', '{"usage": {"total_tokens": -5}}',
      '{"usage": {"total_tokens": 1.5}}',
      '{"usage": {"total_tokens": 1e300}}', '{"choices": [{"usage": {"total_tokens": 1}}]}', '{"__proto__": {"usage": {"total_tokens": 1}}}',
    ];
    for (const body of unclear) {
      model.answer = answerWith(body);
      assert.equal((await ask(prompt)).text, body);
      await rest("whole");
    }
    model.answer = async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(streamed(1)[0]);
      setTimeout(() => response.destroy(), 20);
    };
    await assert.rejects(ask({ ...prompt, stream: true }));
    await rest("upstreamFailed");
    model.answer = async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      // Some upstreams report the usage so far in each event.
      response.write(streamed(1)[2]);
    };
    const response = await send({ ...prompt, stream: true });
    const reader = response.body.getReader();
    await reader.read();
    const reading = reader.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await reader.cancel();
    assert.equal((await reading).done, true);
    await rest("clientGone");
    await until(() => received.at(-1).isClosed);
  });

  await generating("a prompt's bytes are reserved, and charged if the answer reports no usage", async () => {
    for (const bytesPerToken of [undefined, 1, 7]) {
      await clear();
      model.answer = answerWith("{}");
      const long = { messages: [{ role: "user", content: "ä".repeat(1_000) }], max_tokens: 1 };
      const at = settings({ bytesPerToken }, { units: 3_000 });
      assert.equal((await ask(long, { at })).status, 200);
      const bytes = Buffer.byteLength(JSON.stringify(received.at(-1).body));
      assert.ok(bytes > 2_000);
      const reserved = 1 + Math.ceil(bytes / (bytesPerToken ?? 1));
      assert.deepEqual([(await settled()).reserved, await row()], [reserved, { requests: 1, units: reserved }]);
      assert.equal((await ask(long, { at })).status, bytesPerToken === 7 ? 200 : 429);
      await settled();
    }
  });

  await generating("an endless upstream is stopped, whether or not it has begun, and whether or not the client reads", async () => {
    const at = settings({ seconds: 1 });
    const endless = async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(streamed(1)[0].repeat(1_000)), 5);
      response.on("close", () => clearInterval(timer));
    };
    for (const [ended, body, run] of [
      ["timeLimit", endless, async () => assert.rejects(ask({ ...prompt, stream: true }, { at }))],
      ["timeLimit", endless, async () => send({ ...prompt, stream: true }, { at })],
      ["timeLimit", async () => {}, async () => is(await refusal(prompt, { at }), 503, "serverUnavailable")],
    ]) {
      await clear();
      model.answer = body;
      await run();
      assert.deepEqual([(await settled()).ended, await row()], [ended, { requests: 1, units: 300 }]);
      await until(() => received.at(-1).isClosed);
    }
  });

  await generating("usage is found however events are split, ended and written, also after a long event", async () => {
    const usage = '{"usage":{"total_tokens":5}}';
    const cut = (text) => [...Buffer.from(text)].map((byte) => Buffer.of(byte));
    for (const [parts, units] of [
      [[`data: ${usage}\n\n`], 5], [[`data:${usage}\r\n\r\n`], 5], [cut(`data: {"text":"ä€😀"}\n\ndata: ${usage}\n\n`), 5],
      [[`data: ${usage}`], 5], [[`: comment\n\nevent: x\ndata: {"usage":\ndata: {"total_tokens":6}}\nid: 1\n\n`], 6],
      [[`data: ${usage}\n\ndata: {"usage":{"total_tokens":8}}\n\ndata: {"usage":null}\n\ndata: [DONE]\n\n`], 8],
      [[`data: ${"x".repeat(1 << 20)}\n\n`, `data: ${usage}\n\n`], 5],
      [[`data: ${"x".repeat(1 << 19)}\n`.repeat(3), "\n", `data: ${usage}\n\n`], 5],
      [[`data: "${"x".repeat(1 << 20)}", ${usage}\n\n`], 300], [[`dat: ${usage}\n\n`], 300],
      [[`data: {"text":"\\"usage\\":{\\"total_tokens\\":1}"}\n\n`], 300],
    ]) {
      await clear();
      model.answer = answerWith(parts, { type: "text/event-stream" });
      assert.equal((await ask({ ...prompt, stream: true })).text, Buffer.concat(parts.map((part) => Buffer.from(part))).toString());
      await settled();
      assert.equal((await row()).units, units, String(parts[0]).slice(0, 60));
    }
    // A line that is too long makes its event unreadable, in one chunk as in several.
    const event = Buffer.from(`data: ${"x".repeat(1 << 20)}\ndata: ${usage}\n\n`);
    for (const size of [event.length, 65_536]) {
      const chunks = Array.from({ length: Math.ceil(event.length / size) }, (_, index) => event.subarray(index * size, (index + 1) * size));
      const { readable, whole } = passThrough(
        ReadableStream.from(chunks), { type: "text/event-stream", usage: ["usage", "total_tokens"], signal: new AbortController().signal },
        async () => {});
      await new Response(readable).arrayBuffer();
      assert.equal((await whole).used, null);
    }
    await clear();
    model.answer = answerWith(`{"text":"${"x".repeat(1 << 20)}","usage":{"total_tokens":5}}`);
    assert.equal((await ask(prompt)).status, 200);
    await settled();
    assert.equal((await row()).units, 300);
  });

  await generating("usage above the reserve is charged in full, and the reserve stays if the database fails at the end", async () => {
    model.answer = json(5_000);
    assert.equal((await ask(prompt)).status, 200);
    await settled();
    assert.equal((await row()).units, 5_000);
    is(await refusal(prompt), 429, "budgetSpent");
    await clear();
    model.answer = stream(5);
    const failing = settlingBy(async () => { throw new Error("D1_ERROR"); });
    assert.equal((await ask({ ...prompt, stream: true }, { at: { ...settings(), DB: failing } })).text, streamed(5).join(""));
    assert.deepEqual([(await settled()).ended, await row()], ["notSettled", { requests: 1, units: 300 }]);
  });

  await generating("the client sees the end after the budget is settled, and the upstream is read only as the client reads", async () => {
    model.answer = json(5);
    const slow = settlingBy(async (statement) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return statement.run();
    });
    assert.equal((await ask(prompt, { at: { ...settings(), DB: slow } })).status, 200);
    assert.deepEqual(await row(), { requests: 1, units: 5 });
    await settled();
    let pulls = 0;
    const body = new ReadableStream({ pull: (controller) => { pulls += 1; controller.enqueue(new Uint8Array(1)); } }, { highWaterMark: 0 });
    const { readable, whole } = passThrough(body, { type: "text/plain", usage: ["x"], signal: new AbortController().signal }, async () => {});
    const reader = readable.getReader();
    for (const count of [0, 1, 2]) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(pulls, count);
      await reader.read();
    }
    await reader.cancel();
    assert.equal((await whole).ended, "clientGone");
  });

  await generating("wrong settings, and settings without a budget, are configuration errors", async () => {
    const wrong = [
      { url: "http://upstream.example/" }, { url: "ftp://127.0.0.1/" }, { url: undefined }, { url: "x" }, { models: [] }, { models: "small" },
      { models: [5] }, { maximumTokens: 0 }, { maximumTokens: 1.5 }, { maximumTokens: 1_001 }, { maximumTokens: undefined }, { bytesPerToken: -1 },
      { bytesPerToken: 1.5 }, { bytesPerToken: null }, { seconds: 0 },
      { seconds: 901 }, { members: ["model"] }, { members: ["max_tokens"] }, { members: ["stream_options"] }, { tokensMember: "messages" }, { tokensMember: "n" }, { members: "temperature" }, { usage: "" },
      { headers: { "X-Api-Key": "x" }, keyHeader: "x-api-key" }, { headers: { "Content-Type": "x" } }, { headers: { "a b": "x" } },
      { keyHeader: "a b" }, { tokens: 5 },
    ].map((changes) => settings(changes));
    const keys = [undefined, "", "secret\n", " secret", "s\u00e9cret"].map((GENERATE_KEY) => ({ ...settings(), GENERATE_KEY }));
    wrong.push(...keys, { ...settings(), BUDGET: undefined }, { ...settings(), GENERATE: null });
    for (const at of wrong) {
      is(await refusal(prompt, { at }), 503, "serverUnavailable");
      assert.equal(log.at(-1).step, "configuration", JSON.stringify(at.GENERATE));
    }
    assert.equal(received.length, 0);
    assert.ok(!/secret|s\u00e9cret/.test(JSON.stringify(log)));
  });
}, close);
