/** A server in Bun, in memory: keys are lost on restart. SESSION_KEY is a secret of 32 bytes in Base64. */

import { attestRoutes, reusing, withSession } from "pure-attest/http";
import { RelyingParty } from "pure-attest/relying-party";
import module from "pure-attest/relying-party/module";
import { MemoryStore } from "pure-attest/stores";

const { APP_ID: appID, PORT: port = "8080", SESSION_KEY: key } = process.env;
const store = new MemoryStore();
const party = reusing(() => RelyingParty.instantiate(module, {
  verifier: { appID, environment: "production" }, sessionKeys: [{ id: "1", secret: new Uint8Array(Buffer.from(key, "base64")) }], store,
}));

// Bun no longer knows the address of a client that has disconnected. "" is not a valid address, so the response has
// status 400.
const clientAddress = (request, server) => server.requestIP(request)?.address ?? "";
const routes = attestRoutes(party, { clientAddress });
const profile = withSession(party, (_, session) => Response.json({ bundleVersion: session.bundleVersion }));

Bun.serve({
  port: Number(port),
  async fetch(request, server) {
    const isProfile = request.method === "GET" && new URL(request.url).pathname === "/profile";
    return (await routes(request, server)) ?? (isProfile ? profile(request, server) : new Response(null, { status: 404 }));
  },
});
console.log(`listening on ${port}`);
