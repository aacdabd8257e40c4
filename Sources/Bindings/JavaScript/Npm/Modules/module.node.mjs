/** PureAttestWasm.wasm for Node, Deno and Bun, read from its file. */

import { readFileSync } from "node:fs";

export default new WebAssembly.Module(readFileSync(new URL("./PureAttestWasm.wasm", import.meta.url)));
