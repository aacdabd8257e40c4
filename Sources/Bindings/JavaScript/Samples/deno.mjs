/** A server in Deno, in memory: keys are lost on restart. SESSION_KEY is a secret of 32 bytes in Base64. */

import { attestRoutes, reusing, withSession } from "pure-attest/http";
import { RelyingParty } from "pure-attest/relying-party";
import module from "pure-attest/relying-party/module";
import { MemoryStore } from "pure-attest/stores";

const store = new MemoryStore();
const secret = Uint8Array.from(atob(Deno.env.get("SESSION_KEY")), (character) => character.charCodeAt(0));
const party = reusing(() => RelyingParty.instantiate(module, {
  verifier: { appID: Deno.env.get("APP_ID"), environment: "production" }, sessionKeys: [{ id: "1", secret }], store,
}));

const clientAddress = (_, { remoteAddr }) => remoteAddr.hostname;
const routes = attestRoutes(party, { clientAddress });
const profile = withSession(party, (_, session) => Response.json({ bundleVersion: session.bundleVersion }));

Deno.serve({ port: Number(Deno.env.get("PORT") ?? 8080) }, async (request, info) => {
  const isProfile = request.method === "GET" && new URL(request.url).pathname === "/profile";
  return (await routes(request, info)) ?? (isProfile ? profile(request, info) : new Response(null, { status: 404 }));
});
