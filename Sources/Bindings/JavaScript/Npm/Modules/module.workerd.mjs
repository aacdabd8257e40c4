/** PureAttestWasm.wasm for Cloudflare Workers, which can use only imported .wasm files (compiled in advance). */

export { default } from "./PureAttestWasm.wasm";
