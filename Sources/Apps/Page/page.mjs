/** The page's behaviour. The page shows pasted text and reports as plain text, never as HTML. */

import {
  explainAssertion, explainAttestation, explainAttestedReceipt, reportText,
} from "../../Bindings/JavaScript/Verifier/explain.mjs";
import { PureAttest, RefusedError } from "../../Bindings/JavaScript/Verifier/pure-attest.mjs";
import { reasonText } from "../../Bindings/JavaScript/Verifier/reason-texts.mjs";
import { bytesOf, counterOf, fileOf, InputError, timeOf } from "./input.mjs";

const field = (id) => document.getElementById(id);
const value = (id) => field(id).value;
const kind = () => document.querySelector("[name=kind]:checked").value;

function element(name, options = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, options);
  made.append(...children);
  return made;
}

async function compile() {
  const packed = Uint8Array.from(atob(field("module").textContent.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
let compiled;

function showFields() {
  const shown = kind();
  for (const part of document.querySelectorAll("form .attestation, form .assertion")) part.hidden = !part.classList.contains(shown);
  field("challenge-label").textContent = shown === "attestation" ? "Challenge" : "Client data";
  if (shown === "assertion" && value("form-of-challenge") === "hash") field("form-of-challenge").value = "bytes";
}

function fill() {
  const file = fileOf(value("object"));
  if (!file) return null;
  const set = (id, text) => {
    if (text !== undefined && text !== null) field(id).value = String(text);
  };
  document.querySelector(`[name=kind][value=${file.attestation ? "attestation" : "assertion"}]`).checked = true;
  showFields();
  for (const name of ["appID", "keyID"]) set(name, file[name]);
  if (["production", "development"].includes(file.environment)) set("environment", file.environment);
  if (["device", "macOS"].includes(file.platform)) set("platform", file.platform);
  set("publicKey", file.keyRecord ?? file.publicKey);
  set("time", Number.isSafeInteger(file.verifyAt) ? new Date(file.verifyAt * 1000).toISOString().replace(".000", "") : undefined);
  set("counter", file.previousCounter);
  const hash = file.attestation ? file.clientDataHash : undefined;
  set("challenge", file.attestation ? file.challenge ?? hash : file.clientData ?? file.challenge);
  set("form-of-challenge", file.attestation && !file.challenge && hash ? "hash" : "bytes");
  return file;
}

function challengeOf() {
  const name = kind() === "attestation" ? "Challenge" : "Client data";
  if (value("form-of-challenge") !== "text") return bytesOf(value("challenge"), "challenge", name);
  if (value("challenge") === "") throw new InputError("challenge", `${name}: this field is empty.`);
  return new TextEncoder().encode(value("challenge"));
}

function appIDOf() {
  const appID = value("appID").trim();
  if (!/^[^.\s]+\.\S+$/.test(appID)) throw new InputError("appID", "App ID: enter prefix, dot and bundle ID.");
  if (new TextEncoder().encode(appID).length > 1_024) throw new InputError("appID", "App ID: longer than any valid App ID.");
  return appID;
}

/** Returns a pasted key record, or the record of a public key. */
function keyRecordOf(verifier) {
  const text = value("publicKey");
  if (text.includes("-----BEGIN")) return imported(verifier, text);
  const bytes = bytesOf(text, "publicKey", "Public key");
  const isRecord = bytes.length >= 111 && bytes[0] >= 1 && bytes[0] <= 2;
  return isRecord ? bytes : imported(verifier, bytes);
}

function imported(verifier, publicKey) {
  const counter = counterOf(value("counter"));
  try {
    return verifier.importKey({ publicKey, counter }).keyRecord;
  } catch {
    throw new InputError("publicKey", "Public key: neither a P-256 key nor a key record.");
  }
}

async function submit() {
  const file = fill();
  const shown = kind();
  const object = bytesOf(file ? file[shown] ?? "" : value("object"), "object", "Object");
  if (object.length > 1 << 20) throw new InputError("object", "Object: longer than any valid object.");
  const options = { appID: appIDOf(), environment: value("environment"), platform: value("platform") };
  const now = timeOf(value("time"));
  compiled ??= compile();
  const verifier = await PureAttest.instantiate(await compiled, options);
  if (shown === "assertion") {
    const clientData = challengeOf();
    const input = { assertion: object, clientData, challenge: null, keyRecord: keyRecordOf(verifier), now };
    return [outcome(explainAssertion, verifier, input, () => verifier.verifyAssertion(input))];
  }
  const challenge = challengeOf();
  const input = {
    attestation: object, keyID: bytesOf(value("keyID"), "keyID", "Key identifier"), now,
    ...(value("form-of-challenge") === "hash" ? { clientDataHash: challenge } : { challenge }),
  };
  const attested = outcome(explainAttestation, verifier, input, () => verifier.verifyAttestation(input));
  if (!attested.verified) return [attested];
  const receipt = outcome(explainAttestedReceipt, verifier, input, () => verifier.verifyAttestation({ ...input, verifyReceipt: true }));
  return [attested, receipt];
}

/** Adds the verdict to a report, which does not contain it. */
function outcome(explain, verifier, input, verify) {
  let verified = null, refusal = null;
  try {
    verified = verify();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    refusal = error;
  }
  try {
    return { report: explain(verifier, input), verified, refusal };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const [id, name] = input.keyRecord ? ["publicKey", "Key record"] : ["keyID", "Key identifier"];
    throw new InputError(id, `${name}: ${reasonText(error.code, error.detail)}.`);
  }
}

function factsOf(subject, verified) {
  if (subject === "receipt") return [];
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const system = [verified.platform, verified.osVersion, verified.build, verified.releaseType].filter(Boolean).join(" ");
  return [
    ["App", verified.appID], ["System", system], ["Counter", verified.counter], ["Validation category", verified.validationCategory],
    ["Bundle version", verified.bundleVersion], ["Build", verified.codeDirectoryHash && hex(verified.codeDirectoryHash)],
    ["Public key", hex(verified.publicKey)],
  ].filter(([, fact]) => fact !== null && fact !== "");
}

const pairs = (entries) =>
  element("dl", {}, ...entries.flatMap(([name, text]) => [element("dt", { textContent: name }), element("dd", { textContent: String(text) })]));

const STATUSES = { passed: "✓ passed", failed: "✗ failed", notRun: "– not run" };

function stepElement({ step, title, status, reason, expected, received, causes }) {
  const item = element("li", { className: status },
    element("span", { className: "status", textContent: STATUSES[status] }),
    element("span", { className: "number", textContent: /^\d/.test(step) ? `step ${step}` : step }),
    element("span", { className: "title", textContent: title }));
  if (status !== "failed") return item;
  const known = [["reason", reason], ["expected", expected], ["received", received]].filter(([, text]) => text !== null);
  const details = element("div", { className: "details" }, pairs(known));
  if (causes.length > 0) {
    details.append(element("div", { className: "likely", textContent: causes.length === 1 ? "Likely:" : "Likely one of:" }),
      element("ul", { className: "causes" }, ...causes.map(({ text }) => element("li", { textContent: text }))));
  }
  item.append(details);
  return item;
}

function show({ report, verified, refusal }) {
  const { subject, steps } = report;
  const name = subject[0].toUpperCase() + subject.slice(1);
  const verdict = element("p", { className: refusal ? "verdict failed" : "verdict" },
    element("strong", { textContent: refusal ? `${name} refused` : `${name} verified` }),
    refusal ? `: ${reasonText(refusal.code, refusal.detail)} (${refusal.detail ?? refusal.code}).` : ": all steps passed.");
  const parts = [
    element("h2", { textContent: name }), verdict, ...(verified ? [pairs(factsOf(subject, verified))] : []),
    element("ol", { className: "steps" }, ...steps.map(stepElement)),
    element("details", {}, element("summary", { textContent: `${name} report as text` }), element("pre", { textContent: reportText(report), tabIndex: 0 })),
  ];
  return parts;
}

function clear() {
  field("error").textContent = "";
  field("result").replaceChildren();
  for (const invalid of document.querySelectorAll("[aria-invalid]")) invalid.removeAttribute("aria-invalid");
}

function fail(error) {
  const isInput = error instanceof InputError;
  field("error").textContent = isInput ? error.message : "This browser can't run the verifier, or it failed: reload the page.";
  if (!isInput) return;
  field(error.field).setAttribute("aria-invalid", "true");
  field(error.field).focus();
}

field("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  clear();
  try {
    field("result").replaceChildren(...(await submit()).flatMap(show));
    field("result").focus({ preventScroll: true });
    field("result").scrollIntoView();
  } catch (error) {
    fail(error);
  }
});
field("form").addEventListener("reset", () => {
  clear();
  setTimeout(showFields);
});
field("form").addEventListener("change", ({ target }) => {
  if (target.name === "kind") showFields();
});
field("object").addEventListener("input", () => {
  try {
    fill();
  } catch {
    // The user may still be typing, so errors are reported only when the form is submitted.
  }
});
showFields();
