// npm.sh compiles this file but never runs it. It checks that the compiler finds the package's types by module name.
import { PureAttest } from "pure-attest";
import type { VerifiedAttestation } from "pure-attest";
import { AssertionVerifier } from "pure-attest/assertion";
import assertionModule from "pure-attest/assertion/module";
import { explainAttestation } from "pure-attest/explain";
import explainModule from "pure-attest/explain/module";
import { withSession } from "pure-attest/http";
import { MemoryLimits } from "pure-attest/limits";
import module from "pure-attest/module";
import { Purchases } from "pure-attest/purchases";
import purchasesModule from "pure-attest/purchases/module";
import { RelyingParty } from "pure-attest/relying-party";
import partyModule from "pure-attest/relying-party/module";
import { MemoryStore } from "pure-attest/stores";

const verifier: PureAttest = await PureAttest.instantiate(module, { appID: "1234567890.com.example.myapp", environment: "production" });
const imported: Uint8Array = verifier.importKey({ publicKey: { kty: "EC", crv: "P-256", x: "", y: "" }, counter: 0 }).keyRecord;
// @ts-expect-error: an attestation is not text
const verified: VerifiedAttestation = verifier.verifyAttestation({ attestation: "", keyID: imported, challenge: imported });
const explainer: PureAttest = await PureAttest.instantiate(explainModule, { appID: "1234567890.com.example.myapp", environment: "production" });
const codes: string[] = explainAttestation(explainer, { attestation: imported, keyID: imported, challenge: imported }).steps.map(({ stepCode }) => stepCode);
const alone: AssertionVerifier = await AssertionVerifier.instantiate(assertionModule, { appID: "1234567890.com.example.myapp", environment: "production" });
console.log(verified.receipt, verifier.isBroken, codes, alone.isBroken);
const party: RelyingParty = await RelyingParty.instantiate(partyModule, {
  verifier: { appID: "1234567890.com.example.myapp", environment: "production" }, store: new MemoryStore(), limits: new MemoryLimits(),
  sessionKeys: [{ id: "1", secret: imported }],
});
const purchases: Purchases = await Purchases.instantiate(purchasesModule, {
  bundleID: "com.example.myapp", sandbox: { products: [{ productID: "a", days: 1, requests: 1, units: 1 }] }, store: new MemoryStore(),
});
console.log(purchases.isBroken);
export const handler: (request: Request) => Promise<Response> = withSession(party, (_, { bundleVersion }) => new Response(bundleVersion));
