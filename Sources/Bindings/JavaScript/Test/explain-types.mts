// wasm.sh compiles this file but never runs it. It contains uses that explain.d.mts must allow, and uses that it must reject,
// which are below a @ts-expect-error.
import { explainAssertion, explainAttestation, reportText } from "../Verifier/explain.mjs";
import type { Report, Step } from "../Verifier/explain.mjs";
import { PureAttest } from "../Verifier/pure-attest.mjs";

declare const verifier: PureAttest;
declare const bytes: Uint8Array;

const report: Report = explainAttestation(verifier, { attestation: bytes, keyID: bytes, challenge: bytes, now: new Date() });
const failed: Step[] = report.steps.filter(({ status }) => status === "failed");
const causes: string[] = failed.flatMap((step) => step.causes.map(({ code }) => code));
// @ts-expect-error: null says that the caller compares the challenge; it is not left out
explainAssertion(verifier, { assertion: bytes, clientData: bytes, keyRecord: bytes });
// @ts-expect-error: a challenge or its hash
explainAttestation(verifier, { attestation: bytes, keyID: bytes });
console.log(reportText(report), causes);
