// The server to which the Worker connects: a local server in place of the language model or of Apple's server.
import { once } from "node:events";
import { createServer } from "node:http";

/** The requests, in order of arrival. */
export const received = [];
/** `answer` writes the response to a request; each check sets it. */
export const model = { answer: async () => {} };
const server = createServer(async (incoming, response) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method, url, headers } = incoming;
  const text = Buffer.concat(chunks).toString();
  const entry = { method, url, headers, text, get body() { return JSON.parse(text); }, isClosed: false };
  response.on("close", () => { entry.isClosed = !response.writableFinished; });
  received.push(entry);
  await model.answer(response, entry);
}).listen(0, "127.0.0.1");
await once(server, "listening");

export const address = `http://127.0.0.1:${server.address().port}/v1/chat/completions`;
export const close = () => {
  server.close();
  server.closeAllConnections();
};

const events = (...objects) => objects.map((object) => `data: ${typeof object === "string" ? object : JSON.stringify(object)}\n\n`).join("");
export const streamed = (used) => [
  events({ choices: [{ delta: { content: "Hel" } }], usage: null }), events({ choices: [{ delta: { content: "lo" } }], usage: null }),
  events({ choices: [], usage: { total_tokens: used } }, "[DONE]"),
];
export const answerWith = (body, { status = 200, type = "application/json", headers = {} } = {}) => async (response) => {
  response.writeHead(status, { "content-type": type, ...headers });
  for (const part of [body].flat()) response.write(part);
  response.end();
};
export const json = (used) => answerWith(JSON.stringify({ choices: [{ message: { content: "Hello" } }], usage: { total_tokens: used } }));
export const stream = (used) => answerWith(streamed(used), { type: "text/event-stream" });
