/** Tests the relying party over each store: node party-stores.mjs MODULE TOOL. Environment: test-databases.mjs. */

import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as limits from "../../RelyingParty/limits.mjs";
import * as http from "../../RelyingParty/http.mjs";
import * as relyingParty from "../../RelyingParty/relying-party.mjs";
import * as stores from "../../RelyingParty/stores.mjs";
import { runCases } from "./party-cases.mjs";
import { runHTTP } from "./party-http.mjs";
import { runOptions } from "./party-options.mjs";
import { Bench } from "./party-support.mjs";
import { runSuite } from "./party-suite.mjs";
import { TestDatabases } from "../test-databases.mjs";

const [modulePath, tool] = process.argv.slice(2);
const library = { ...relyingParty, ...stores, ...limits, ...http };
const bench = new Bench(library, new WebAssembly.Module(readFileSync(modulePath)), tool);
const databases = await TestDatabases.in(bench.folder);
try {
  await runOptions(bench);
  await runCases(bench);
  await runHTTP(bench);
  await bench.check("the module forgets requests that the platform cancelled", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    // Simulates a Worker whose client disconnected: the store never answers.
    const party = await bench.party({ rows: () => new Promise(() => {}) });
    const { challenge } = await party.issueChallenge({ purpose: "assertion", keyID: bench.device.keyID });
    const request = { method: "POST", target: "/", body: new Uint8Array(60_000) };
    const leave = async () => {
      for (let count = 0; count < 40; count += 1) {
        party.authenticate({ assertion: new Uint8Array(9), keyID: bench.device.keyID, challenge, request });
      }
      for (let turn = 0; turn < 3; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        collect();
      }
    };
    await leave();
    const size = party.verifier.memorySize;
    for (let round = 0; round < 4; round += 1) await leave();
    // Forty requests take 3 MB.
    if (party.verifier.memorySize > size + 1_500_000) throw new Error(`${size} to ${party.verifier.memorySize} bytes`);
  });
  for (const { name, connect } of databases.stores) await runSuite(bench, name, connect);
} finally {
  await databases.close();
  bench.close();
}
console.log(`${bench.count} checks of the relying party over ${databases.names} passed`);
