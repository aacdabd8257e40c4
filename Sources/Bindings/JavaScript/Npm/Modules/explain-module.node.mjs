/** PureAttestExplainWasm.wasm for Node, Deno and Bun, read from its file. */

import { readFileSync } from "node:fs";

export default new WebAssembly.Module(readFileSync(new URL("./PureAttestExplainWasm.wasm", import.meta.url)));
