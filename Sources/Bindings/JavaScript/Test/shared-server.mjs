/**
 * A relying party in Node for the tests of the Swift service, on the same PostgreSQL server: shared-server.mjs MODULE,
 * with the service's ATTEST_ variables. MODULE trusts the test roots in TEST_ROOTS, in Base64 with a comma between them.
 * NODE_PG is the folder of node-pg. Prints "port N" when it serves.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { attestRoutes, reusing, withAssertion, withSession } from "../RelyingParty/http.mjs";
import { PureAttest } from "../Verifier/pure-attest.mjs";
import { RelyingParty } from "../RelyingParty/relying-party.mjs";
import { PostgreSQLStore } from "../RelyingParty/stores.mjs";
import { verifierTrusting } from "./Party/party-support.mjs";

const { ATTEST_DATABASE, ATTEST_SESSION_SECRET, ATTEST_APP_ID: appID, TEST_ROOTS, NODE_PG } = process.env;
const { Pool } = createRequire(join(NODE_PG, "index.js"))("pg");
// node-pg requires a host in the URL, so the code inserts one. A URL parameter names the folder of the socket.
const pool = new Pool({ connectionString: ATTEST_DATABASE.replace("@:", "@localhost:"), max: 8 });
// The test may stop the PostgreSQL server at any time, so connection errors are ignored.
pool.on("error", () => {});
const store = new PostgreSQLStore((text, values) => pool.query(text, values));

// The service identifies a secret by part of the secret's hash (Settings.swift).
const secret = new Uint8Array(Buffer.from(ATTEST_SESSION_SECRET, "hex"));
const id = createHash("sha256").update("PureAttest kid").update(secret).digest("hex").slice(0, 16);
const [attestationRoot, receiptRoot] = TEST_ROOTS.split(",");
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const party = reusing(async () => {
  const verifier = await verifierTrusting(module, PureAttest, { attestationRoot, receiptRoot }, { appID, environment: "production" });
  return new RelyingParty(verifier, { sessionKeys: [{ id, secret }], store, limits: null });
});
const options = { onError: () => {} };
const empty = () => new Response("{}");
const handlers = {
  "GET /protected": withSession(party, empty, options),
  "POST /signed": withAssertion(party, empty, options),
};
const routes = attestRoutes(party, options);

try {
  await store.createTables();
} catch (error) {
  console.error(`ATTEST_DATABASE: PostgreSQL does not answer: ${error.message}`);
  process.exit(2);
}
const server = createServer(async (incoming, outgoing) => {
  const { method, headers } = incoming;
  const body = method === "GET" ? undefined : incoming;
  const request = new Request(new URL(incoming.url, "http://localhost"), { method, headers, body, duplex: "half" });
  const response = (await routes(request)) ?? (await handlers[`${method} ${incoming.url}`]?.(request)) ?? new Response(null, { status: 404 });
  const content = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), "content-length": content.length });
  outgoing.end(content);
}).listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));
