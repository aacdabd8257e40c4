/** PureAttestPurchases.wasm for Node, Deno and Bun, read from its file. */

import { readFileSync } from "node:fs";

export default new WebAssembly.Module(readFileSync(new URL("./PureAttestPurchases.wasm", import.meta.url)));
