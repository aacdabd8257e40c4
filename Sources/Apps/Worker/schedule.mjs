/** The cron trigger's work: removes expired rows in batches, and requests receipts. */

import { removePastBudgets } from "./budget.mjs";
import { refreshReceipts } from "./receipts.mjs";
import { Store } from "./store.mjs";

/** The most that one run removes from each table: 20 batches of 1,000 rows. */
const ROUNDS = 20;
const ROWS = 1_000;

/** A failing task does not stop the others; the run then ends with its error. */
export async function runSchedule({ env, now, log, party, cleaning, ...surroundings }) {
  const store = new Store(env.DB);
  const { limits } = await cleaning();
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
    consumed_tokens: (limit) => store.removeExpired(now, limit),
    allowances: (limit) => limits.removeFull(env, now, limit),
    budget_periods: (limit) => removePastBudgets(env.DB, now, limit),
  };
  for (const [table, remove] of Object.entries(tables)) {
    await task(table, async () => {
      let removed = 0;
      for (let round = 0; round < ROUNDS && removed === round * ROWS; round += 1) removed += await remove(ROWS);
      log({ route: "scheduled", table, removed });
    });
  }
  if (env.DEVICECHECK_KEY !== undefined || env.DEVICECHECK_KEY_ID !== undefined) {
    await task("receipts", async () => {
      const { verifier, receiptQueries: queries } = await party();
      await refreshReceipts({ store, verifier, queries, now, log, ...surroundings });
    });
  }
  if (failures.length > 0) throw failures[0];
}
