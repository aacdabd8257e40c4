/**
 * A Supabase Edge Function named "attest", over the project's PostgreSQL: supabase/functions/attest/index.ts. Its secrets
 * are APP_ID, and SESSION_KEY, 32 bytes in Base64. Deploy it with --no-verify-jwt, because it verifies its own tokens.
 */

import { attestRoutes, reusing, withSession } from "pure-attest/http";
import { RelyingParty } from "pure-attest/relying-party";
import module from "pure-attest/relying-party/module";
import { PostgreSQLStore } from "pure-attest/stores";
import postgres from "postgres";

function setting(name: string): string {
  const value = Deno.env.get(name);
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

const party = reusing(async () => {
  const sql = postgres(setting("SUPABASE_DB_URL"), { prepare: false });
  const store = new PostgreSQLStore((text, values) => sql.unsafe(text, values));
  await store.createTables();
  return RelyingParty.instantiate(module, {
    verifier: { appID: setting("APP_ID"), environment: "production" },
    sessionKeys: [{ id: "1", secret: Uint8Array.from(atob(setting("SESSION_KEY")), (character) => character.charCodeAt(0)) }],
    store,
  });
});

const routes = attestRoutes(party, { prefix: "/attest" });
const profile = withSession(party, (_, session) => Response.json({ bundleVersion: session.bundleVersion }));

Deno.serve(async (request) => (await routes(request)) ?? profile(request));
