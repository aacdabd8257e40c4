/** PureAttestExplainWasm.wasm for Cloudflare Workers, which compile an imported .wasm beforehand and nothing later. */

export { default } from "./PureAttestExplainWasm.wasm";
