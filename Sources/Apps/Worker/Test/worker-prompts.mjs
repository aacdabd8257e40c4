// Tests which prompts the Worker admits, and how many tokens it reserves: node worker-prompts.mjs TEST_MODULE
// PURE_ATTEST. The service admits the same messages (tables in Sources/Apps/Service/README.md).
import assert from "node:assert/strict";
import { OWN_MEMBERS, UNBOUNDED_MEMBERS, costOfParts } from "../prompt.mjs";
import { bearer, check, database, enrolled, env, handlerFor, is, log, rows, runChecks, sessionToken } from "./worker-support.mjs";

const PARTS = { image_url: 1_600, input_image: 1_700, input_audio: 2_000, file: 50_000 };
const user = (content) => ({ role: "user", content });
const text = { type: "text", text: "What is this?" };
const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };

/** Admitted messages, each with its cost under PARTS. */
const ADMITTED = [
  [user("x"), 0], [user(""), 0], [{ role: "system", content: "x" }, 0], [{ role: "developer", content: [text] }, 0], [user([]), 0],
  [user([text, text]), 0], [{ role: "assistant", content: null }, 0], [{ role: "assistant" }, 0],
  [{ role: "assistant", content: null, refusal: null, name: "a" }, 0], [{ role: "tool", content: "x", tool_call_id: "1" }, 0],
  [{ role: "assistant", tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }] }, 0],
  [{ role: "assistant", content: "x", tool_calls: [] }, 0],
  [user([image]), 1_600], [user([text, image, image]), 3_200], [user([{ type: "image_url", image_url: "https://example.com/a" }]), 1_600],
  [user([{ type: "image_url", image_url: { url: "x", detail: "high" }, detail: "low" }]), 1_600],
  [user([{ type: "input_image", image_url: "x" }]), 1_700], [user([{ type: "input_image", file_id: "x", detail: "auto" }]), 1_700],
  [user([{ type: "input_audio", input_audio: { data: "AA==", format: "wav" } }]), 2_000], [user([{ type: "file", file: { file_id: "x" } }]), 50_000],
];

const withMember = (name) => JSON.parse(`{"role":"user","content":"x","${name}":"x"}`);
const REFUSED = [
  null, 5, "x", [], [user("x")], {}, { role: "user" }, { content: "x" }, user(null), user(undefined), user(5), user({}), user(text), user([null]),
  user("\ud800"), user([{ ...text, text: "\udc00" }]), { role: "root", content: "x" }, { role: ["user"], content: "x" }, { role: "toString", content: "x" }, { role: "User", content: "x" },
  ...["audio", "file", "file_id", "attachments", "function_call", "annotations", "image_url", "reasoning", "cache_control", "__proto__"].map(withMember),
  { role: "assistant", audio: { id: "audio_1" } }, { ...user("x"), name: 5 }, { ...user("x"), name: {} }, { ...user("x"), tool_call_id: ["1"] },
  { ...user("x"), tool_calls: [] }, { role: "assistant", tool_calls: {} }, { role: "assistant", tool_calls: [{}] }, { role: "assistant", tool_calls: null },
  { role: "assistant", tool_calls: [{ id: "1", type: "custom", custom: { name: "f", input: "x" } }] },
  { role: "assistant", tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" }, more: "x" }] },
  { role: "assistant", tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: {} } }] },
  user(["x"]), user([[text]]), user([[image]]), user([{}]), user([{ text: "x" }]), user([{ type: "text" }]), user([{ type: "text", text: 5 }]),
  user([{ type: ["text"], text: "x" }]), user([{ ...text, image_url: { url: "x" } }]), user([{ ...text, cache_control: {} }]),
  user([{ ...text, annotations: [] }]), user([{ type: "Text", text: "x" }]), user([{ type: "text\u0600", text: "x" }]),
  user([{ type: "input_text", text: "x" }]), user([{ type: "output_text", text: "x" }]), user([{ type: "refusal", refusal: "x" }]),
  user([{ type: "video_url", video_url: { url: "x" } }]), user([{ type: "input_file", file_id: "x" }]), user([{ type: "input_file", file_url: "x" }]),
  user([{ type: "image_file", image_file: { file_id: "x" } }]), user([{ type: "toString", toString: "x" }]), user([{ type: "__proto__", x: "x" }]),
  user([{ type: "document", source: {} }]), user([{ type: "image", source: { type: "url", url: "x" } }]), user([{ type: "item_reference", id: "x" }]),
];

/** Parts of a configured type without a reference, with two, or with a malformed one. */
const OF_PARTS = [
  { type: "image_url" }, { type: "image_url", image_url: null }, { type: "image_url", image_url: 5 }, { type: "image_url", image_url: ["x", "y"] },
  { type: "image_url", image_url: [{ url: "x" }] }, { type: "image_url", image_url: { url: ["x", "y"] } },
  { type: "image_url", image_url: { url: "x", url2: "y" } }, { type: "image_url", image_url: {} }, { type: "file", file: { file_id: "x", file_data: "y" } },
  { type: "image_url", image_url: { url: { url: "x" } } }, { type: "image_url", image_url: { url: null } }, { ...image, text: "x" },
  { ...image, file_id: "x" }, { ...image, image_url_2: "x" }, { ...image, detail: 5 }, { type: "image_url", url: "x" }, { type: "file", file_id: "x" },
  { type: "file", file: { file_id: "x" }, image_url: "x" }, { type: "input_image", image_url: "x", file_id: "y" },
  { type: "input_image", image_url: { url: "x" } }, { type: "input_image", file_id: ["x"] }, { type: "input_image" }, { type: "input_image", detail: "x" },
  { type: "input_audio", input_audio: { data: "x", format: { more: "y" } } },
].map((part) => user([part]));

await runChecks("the Worker's prompts", async () => {
  const cost = (message, parts = {}) => {
    try {
      return costOfParts([message], parts);
    } catch (error) {
      return error.reason ?? error;
    }
  };

  await check("only text is admitted, and other parts only if the settings give their cost", () => {
    assert.deepEqual([ADMITTED.length, REFUSED.length, OF_PARTS.length], [20, 66, 24]);
    for (const [message, units] of ADMITTED) {
      assert.equal(cost(message, PARTS), units, JSON.stringify(message));
      assert.equal(cost(message), units === 0 ? 0 : "malformedRequest", JSON.stringify(message));
    }
    for (const message of REFUSED) {
      assert.equal(cost(message), "malformedRequest", JSON.stringify(message));
      assert.equal(cost(message, PARTS), "malformedRequest", JSON.stringify(message));
    }
    for (const message of OF_PARTS) assert.equal(cost(message, PARTS), "malformedRequest", JSON.stringify(message));
    for (const messages of [undefined, null, [], {}, "x", 5, { 0: user("x"), length: 1 }]) {
      assert.throws(() => costOfParts(messages, PARTS), { reason: "malformedRequest" });
    }
    // One bad message invalidates the whole list. The cost of a list is the sum of its messages' costs.
    assert.throws(() => costOfParts([user("x"), user([image]), user([{ type: "video" }])], PARTS), { reason: "malformedRequest" });
    assert.equal(costOfParts([user("x"), user([image]), user([text, image])], PARTS), 3_200);
  });

  // The route

  const session = await sessionToken(1, (await enrolled(1)).keyID, 1);
  const sent = [];
  const surroundings = {
    fetch: async (_, { body }) => {
      sent.push(JSON.parse(new TextDecoder().decode(body)));
      // The answer ends before it reports its usage.
      return new Response(new ReadableStream({ start: (controller) => controller.error(new Error("gone")) }), { status: 200 });
    },
  };
  const settings = (changes = {}, units = 100_000) => ({
    ...env, GENERATE_KEY: "secret", BUDGET: { days: 1, requests: 100, units },
    GENERATE: { url: "https://api.example.com/", models: ["small"], maximumTokens: 100, ...changes },
  });
  const ask = async (body, at) => {
    const response = await handlerFor({}, surroundings).fetch(new Request("https://worker.example/generate", {
      method: "POST", headers: { "content-type": "application/json", ...bearer(session) }, body: typeof body === "string" ? body : JSON.stringify(body),
    }), at);
    const answer = response.status === 200 ? await response.text().catch(() => ({})) : await response.json();
    return { status: response.status, error: answer.error };
  };
  const used = () => database.prepare("SELECT requests, units FROM budget_periods").first();
  const asking = (name, body) => check(name, async () => {
    await database.prepare("DELETE FROM budget_periods").run();
    sent.length = 0;
    await body();
  });

  await asking("if the answer ends early, each picture costs its reserve", async () => {
    const at = settings({ parts: PARTS, bytesPerToken: 0 }, 10_000);
    const pictures = { messages: [user([text, image, image])], max_tokens: 100 };
    for (let count = 0; count < 3; count += 1) assert.equal((await ask(pictures, at)).status, 200);
    is(await ask(pictures, at), 429, "budgetSpent");
    assert.deepEqual([await used(), sent.length], [{ requests: 3, units: 3 * (2 * 1_600 + 100) }, 3]);
    assert.equal(JSON.stringify(sent[0].messages), JSON.stringify(pictures.messages));
    await database.prepare("DELETE FROM budget_periods").run();
    assert.equal((await ask(pictures, settings({ parts: PARTS }))).status, 200);
    assert.deepEqual(await used(), { requests: 1, units: Buffer.byteLength(JSON.stringify(sent.at(-1))) + 3_200 + 100 });
  });

  await asking("a rejected request costs nothing and does not reach the model", async () => {
    for (const message of [...REFUSED, ...OF_PARTS, user([image])]) is(await ask({ messages: [message] }, settings()), 400, "malformedRequest");
    assert.deepEqual([await rows("budget_periods"), sent.length], [0, 0]);
    // The last of two members with one name applies. The Worker sends the value that it has checked.
    const bad = '{"role":"user","content":[{"type":"image_url","image_url":"x"}],"content":"x"}';
    assert.equal((await ask(`{"messages":[5],"messages":[${bad}]}`, settings())).status, 200);
    assert.deepEqual(sent.map(({ messages }) => messages), [[user("x")]]);
  });

  await asking("members that multiply the cost are rejected in settings and not copied from requests", async () => {
    const names = [...UNBOUNDED_MEMBERS, ...OWN_MEMBERS];
    for (const name of ["audio", "modalities", "tools", "prediction", "n", "best_of", "web_search_options", "functions"]) assert.ok(names.includes(name), name);
    for (const name of names) {
      is(await ask({ messages: [user("x")] }, settings({ members: ["temperature", name] })), 503, "serverUnavailable");
      assert.equal(log.at(-1).step, "configuration");
      assert.ok(log.at(-1).reason.includes(`members: ${name}`), log.at(-1).reason);
    }
    const all = Object.fromEntries(names.filter((name) => !["model", "messages", "stream", "max_tokens"].includes(name)).map((name) => [name, 5]));
    assert.equal((await ask({ ...all, messages: [user("x")] }, settings())).status, 200);
    assert.deepEqual(sent, [{ model: "small", messages: [user("x")], max_tokens: 100, stream: false }]);
  });

  await asking("a reserve that is not a whole number of tokens of a type is rejected", async () => {
    for (const parts of [
      null, 5, [], ["image_url"], { image_url: 0 }, { image_url: -1 }, { image_url: 1.5 }, { image_url: "1600" }, { image_url: 1e7 + 1 }, { text: 5 },
      { "": 5 }, { image_url: 5, file: NaN },
    ]) {
      is(await ask({ messages: [user("x")] }, settings({ parts })), 503, "serverUnavailable");
      assert.ok(log.at(-1).reason.startsWith("GENERATE: parts"), log.at(-1).reason);
    }
    assert.equal(sent.length, 0);
  });
});
