/** A Cloudflare Worker over D1. wrangler.toml has the binding DB; SESSION_KEY is a secret of 32 bytes in Base64. */

import { attestRoutes, reusing, withAssertion, withSession } from "pure-attest/http";
import { RelyingParty } from "pure-attest/relying-party";
import module from "pure-attest/relying-party/module";
import { D1Store } from "pure-attest/stores";

const party = reusing(async (env) => {
  const store = new D1Store(env.DB);
  await store.createTables();
  return RelyingParty.instantiate(module, {
    verifier: { appID: env.APP_ID, environment: "production" },
    sessionKeys: [{ id: "1", secret: Uint8Array.from(atob(env.SESSION_KEY), (character) => character.charCodeAt(0)) }],
    store,
  });
});
const clientAddress = (request) => request.headers.get("cf-connecting-ip");

const routes = attestRoutes(party, { clientAddress });
const profile = withSession(party, (request, session) => Response.json({ bundleVersion: session.bundleVersion }));
const payment = withAssertion(party, async (request) => Response.json({ paid: await request.json() }), { clientAddress });

export default {
  async fetch(request, env) {
    const answer = await routes(request, env);
    if (answer) return answer;
    switch (`${request.method} ${new URL(request.url).pathname}`) {
      case "GET /profile": return profile(request, env);
      case "POST /payment": return payment(request, env);
      default: return new Response(null, { status: 404 });
    }
  },

  async scheduled(_, env) {
    await (await party(env)).removeExpired();
  },
};
