/** A server in Node over PostgreSQL. SESSION_KEY is a secret of 32 bytes in Base64. */

import { createServer } from "node:http";
import pg from "pg";
import { attestRoutes, reusing, withSession } from "pure-attest/http";
import { RelyingParty } from "pure-attest/relying-party";
import module from "pure-attest/relying-party/module";
import { PostgreSQLStore } from "pure-attest/stores";

const { APP_ID: appID, DATABASE_URL: connectionString, PORT: port = "8080", SESSION_KEY: key } = process.env;
const pool = new pg.Pool({ connectionString });
// Handles the error when the server closes an idle connection, which the pool then replaces.
pool.on("error", console.error);
const store = new PostgreSQLStore((text, values) => pool.query(text, values));
await store.createTables();
const party = reusing(() => RelyingParty.instantiate(module, {
  verifier: { appID, environment: "production" }, sessionKeys: [{ id: "1", secret: new Uint8Array(Buffer.from(key, "base64")) }], store,
}));
setInterval(() => party().then((made) => made.removeExpired()).catch(console.error), 3_600_000).unref();

// Node no longer knows the address of a client that has disconnected. "" is not a valid address, so the response has
// status 400.
const clientAddress = (_, socket) => socket.remoteAddress ?? "";
const routes = attestRoutes(party, { clientAddress });
const profile = withSession(party, (_, session) => Response.json({ bundleVersion: session.bundleVersion }));

/** Passes a request of node:http to the handlers. */
createServer(async (incoming, outgoing) => {
  try {
    const { method, headers, socket } = incoming;
    const body = method === "GET" || method === "HEAD" ? undefined : incoming;
    const request = new Request(new URL(incoming.url, "http://localhost"), { method, headers, body, duplex: "half" });
    const isProfile = method === "GET" && new URL(request.url).pathname === "/profile";
    const response = (await routes(request, socket)) ?? (isProfile ? await profile(request, socket) : new Response(null, { status: 404 }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(await response.text());
  } catch (error) {
    // Node accepts methods and targets that a Request rejects, such as TRACE and "//".
    console.error(error);
    if (!outgoing.headersSent) outgoing.writeHead(400);
    outgoing.end();
  }
}).listen(Number(port), () => console.log(`listening on ${port}`));
