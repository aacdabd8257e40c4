// An app that npm.sh bundles and then runs with the arguments BUNDLE VECTORS. When Node runs the browser bundle, the app
// replaces `fetch` with a function that reads files.
import { PureAttest } from "pure-attest";

const { readFileSync } = await import("node:fs");
const fetched = globalThis.fetch;
globalThis.fetch = async (url) =>
  new URL(url).protocol === "file:" ? new Response(readFileSync(new URL(url)), { headers: { "content-type": "application/wasm" } }) : fetched(url);
const { default: module } = await import("pure-attest/module");

const file = JSON.parse(readFileSync(`${process.argv[2]}/app-attest/apple-guide-2026.json`, "utf8"));
const bytes = (name) => Buffer.from(file[name], "base64");
const verifier = await PureAttest.instantiate(module, { appID: file.appID, environment: file.environment });
const input = { attestation: bytes("attestation"), keyID: bytes("keyID"), clientDataHash: bytes("clientDataHash"), now: file.verifyAt };
if (verifier.verifyAttestation(input).appID !== file.appID) throw new Error("the verified App ID is not the file's");
console.log("verified");
