// Compares the module's operations per second with Node's crypto, which is OpenSSL with assembly: node speed.mjs MODULE
// VECTORS. Measures CPU time in interleaved runs.
import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from "node:crypto";
import { PureAttest } from "../../JavaScript/Verifier/pure-attest.mjs";
import { base64, compile, readJSON } from "./support.mjs";

const [modulePath, vectors] = process.argv.slice(2);
const file = readJSON(`${vectors}/app-attest/apple-guide-2026.json`);
const { appID, environment } = file;
const attest = await PureAttest.instantiate(compile(modulePath), { appID, environment });
const attestation = {
  attestation: base64(file.attestation), keyID: base64(file.keyID), clientDataHash: base64(file.clientDataHash),
  now: file.verifyAt,
};

function contestants(namedCurve, hash, keySize, own) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const key = spki.subarray(-keySize);
  const message = randomBytes(64);
  const signature = sign(hash, message, privateKey);
  const node = createPublicKey({ key: spki, type: "spki", format: "der" });
  return { own: () => own(key, signature, message), node: () => verify(hash, message, node, signature) };
}

/** Returns operations per second of CPU time over about `seconds`. */
function rate(operation, seconds = 0.2) {
  const start = process.cpuUsage();
  let count = 0;
  for (;;) {
    operation();
    count += 1;
    const { user, system } = process.cpuUsage(start);
    if (user + system > seconds * 1e6) return (count / (user + system)) * 1e6;
  }
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const message = randomBytes(16_384);
const rows = [
  ["P-256 verification", contestants("P-256", "sha256", 65, attest.verifyP256.bind(attest))],
  ["P-384 verification", contestants("P-384", "sha384", 97, attest.verifyP384.bind(attest))],
  ["Attestation, all steps", { own: () => attest.verifyAttestation(attestation) }],
  ["SHA-256, 16 KiB", { own: () => attest.sha256(message) }],
];
for (const [name, { own, node }] of rows) {
  const rates = { own: [], node: [] };
  for (let round = 0; round < 5; round += 1) {
    rates.own.push(rate(own));
    if (node) rates.node.push(rate(node));
  }
  const speed = Math.round(median(rates.own));
  const beside = node ? `, Node's crypto ${Math.round(median(rates.node))}/s (ratio ${(speed / median(rates.node)).toFixed(2)})` : "";
  console.log(`${name}: ${speed}/s${beside}`);
}
