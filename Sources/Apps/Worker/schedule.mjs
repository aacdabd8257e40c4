/** The cron trigger's work: removes expired rows in batches, and requests receipts. */

import { removeBudgets, removeTokens } from "../../Bindings/JavaScript/RelyingParty/relying-party.mjs";
import { D1Store } from "../../Bindings/JavaScript/RelyingParty/stores.mjs";
import { removeFull } from "./limits.mjs";
import { refreshReceipts } from "./receipts.mjs";
import { prepareCleaning } from "./settings.mjs";

/** The maximum number of batches, of 1,000 rows each, that one run removes from each table. */
const ROUNDS = 20;
const ROWS = 1_000;

/** Runs all tasks. If a task fails, the others still run, and the run then ends with the error. */
export async function runSchedule({ env, now, log, prepared, ...surroundings }) {
  const store = new D1Store(env.DB);
  const { rates } = await prepareCleaning(env);
  const failures = [];
  const task = async (name, body) => {
    try {
      await body();
    } catch (error) {
      failures.push(error);
      log({ route: "scheduled", task: name, outcome: "failed", reason: String(error?.message ?? error).slice(0, 500) });
    }
  };
  const tables = {
    consumed_tokens: () => removeTokens(store, ROWS, now),
    allowances: () => removeFull(env.DB, rates, now, ROWS),
    budget_periods: () => removeBudgets(store, ROWS, now),
  };
  for (const [table, remove] of Object.entries(tables)) {
    await task(table, async () => {
      let removed = 0;
      for (let round = 0; round < ROUNDS && removed === round * ROWS; round += 1) removed += await remove();
      log({ route: "scheduled", table, removed });
    });
  }
  if (env.DEVICECHECK_KEY !== undefined || env.DEVICECHECK_KEY_ID !== undefined) {
    await task("receipts", async () => {
      const { party, receiptQueries: queries } = await prepared();
      await refreshReceipts({ party: party.with({ store, clock: () => now }), queries, now, log, ...surroundings });
    });
  }
  if (failures.length > 0) throw failures[0];
}
