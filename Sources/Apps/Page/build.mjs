// Builds the page: node build.mjs MODULE OUTPUT. The output is one file that contains the compressed module, the style
// and the script. The page's content security policy (CSP Level 3 §8.3) forbids all connections, and allows only this
// style and script, identified by their hashes. Needs esbuild.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [module, output] = process.argv.slice(2);
const source = (name) => new URL(name, import.meta.url);
const esbuild = (name, ...options) =>
  execFileSync("esbuild", [source(name).pathname, "--minify", "--target=es2022", "--log-level=warning", ...options], { encoding: "utf8" }).trim();
const style = esbuild("page.css");
const script = esbuild("page.mjs", "--bundle", "--format=iife", "--charset=utf8");
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error("the script or style contains the end of its element, or a comment");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'", `script-src ${hash(script)} 'wasm-unsafe-eval'`, `style-src ${hash(style)}`, "base-uri 'none'", "form-action 'none'",
].join("; ");
const parts = { CSP: policy, STYLE: style, MODULE: gzipSync(readFileSync(module), { level: 9 }).toString("base64"), SCRIPT: script };
const page = readFileSync(source("page.html"), "utf8").replace(/%(CSP|STYLE|MODULE|SCRIPT)%/g, (_, name) => parts[name]);
writeFileSync(output, page);
console.log(`Built ${output}: ${Buffer.byteLength(page)} bytes`);
