// Tests the error messages that the scripts print if a required module has not been built: node scripts.mjs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Checks } from "../../Wasm/Test/support.mjs";

const checks = new Checks();
const npm = fileURLToPath(new URL("../npm.sh", import.meta.url));
const modules = [
  "PureAttestWasm.wasm", "PureAttestAssertion.wasm", "PureAttestExplainWasm.wasm", "PureAttestRelyingParty.wasm", "PureAttestPurchases.wasm",
];

for (const missing of modules) {
  await checks.run(`npm.sh names ${missing} and the script that builds it`, () => {
    const folder = mkdtempSync(join(tmpdir(), "modules-"));
    try {
      for (const name of modules.filter((name) => name !== missing)) writeFileSync(join(folder, name), "");
      const { status, stdout, stderr } = spawnSync(npm, [folder], { encoding: "utf8" });
      assert.deepEqual([status, stdout, stderr], [2, "", `npm.sh: ${join(folder, missing)} is missing: run wasm.sh first\n`]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

console.log(`${checks.count} script checks passed`);
