#!/usr/bin/env node
// Writes ../statements.mjs: the statements for D1 of the article "SQL stores" of PureAttestServer. A test of
// PureAttestServer compares the article with StoreSQL word for word, so every change reaches both.
//
// Usage: statements.mjs [--check]
//   --check   Write nothing; status 1 if the file is not what would be written.
//   --help    Print this help.
import { readFileSync, writeFileSync } from "node:fs";

const article = new URL("../../../PureAttestServer/PureAttestServer.docc/SQLStores.md", import.meta.url);
const output = new URL("../statements.mjs", import.meta.url);
/** Statements of the article that the Worker does not run unchanged. */
const EXCEPT = {
  Schema: "migrations/ has it; Test/worker-schema.mjs compares what both make",
  migration: "for databases of the version before, which the article says how to bring here",
  budgetMigration: "for when no process of the version before serves; the migrations keep its table",
  removeExpired: "D1 limits what one statement may do, so that store.mjs removes some at a time",
  removeBudgets: "budget.mjs, for the same reason",
};

/** Returns the article's statements by name, each with its semicolon. */
export function statementsOf(text) {
  const section = text.split("\n## ").find((part) => part.startsWith("SQLite and Cloudflare D1"));
  const blocks = [...section.matchAll(/### (\w+)\n\n```sql\n([^`]+)\n```/g)];
  if (blocks.length === 0 || blocks.length !== section.split("```sql").length - 1) throw new Error("the article's SQL section does not have the expected form");
  return new Map(blocks.map(([, name, body]) => [name, body.split(/(?<=;)\n/)]));
}

function moduleOf(statements) {
  const exports = [...statements].filter(([name]) => !Object.hasOwn(EXCEPT, name)).map(([name, texts]) => {
    const literals = texts.map((text) => `\`${text}\``);
    return texts.length === 1 ? `export const ${name} = ${literals[0]};\n` : `export const ${name} = [\n  ${literals.join(",\n  ")},\n];\n`;
  });
  const head = `/**
 * Written by Test/statements.mjs: the statements of the article "SQL stores" of PureAttestServer. A list is one batch, in which each
 * statement takes the operation's parameters up to the highest that it names.
 */

`;
  return head + exports.join("\n");
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [option] = process.argv.slice(2);
  const written = moduleOf(statementsOf(readFileSync(article, "utf8")));
  if (option === "--help") {
    const lines = readFileSync(new URL(import.meta.url), "utf8").split("\n").filter((line) => line.startsWith("// "));
    console.log(lines.map((line) => line.slice(3)).join("\n"));
  } else if (option === "--check") {
    if (readFileSync(output, "utf8") !== written) {
      console.error("Worker/statements.mjs differs from the article: run Sources/Apps/Worker/Test/statements.mjs");
      process.exitCode = 1;
    }
  } else if (option === undefined) {
    writeFileSync(output, written);
  } else {
    console.error(`statements.mjs: unknown option ${option}; see --help`);
    process.exitCode = 2;
  }
}
