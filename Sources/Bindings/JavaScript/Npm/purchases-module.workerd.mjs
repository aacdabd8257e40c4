/** PureAttestPurchases.wasm for Cloudflare Workers, which compile only imported .wasm files, beforehand. */

export { default } from "./PureAttestPurchases.wasm";
