/** PureAttestExplainWasm.wasm for Cloudflare Workers, which can use only imported .wasm files (compiled in advance). */

export { default } from "./PureAttestExplainWasm.wasm";
