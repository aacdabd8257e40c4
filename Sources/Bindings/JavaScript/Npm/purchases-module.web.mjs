/** PureAttestPurchases.wasm for browsers, and for bundlers, which recognise a file by this form of its URL. */

export default await WebAssembly.compileStreaming(fetch(new URL("./PureAttestPurchases.wasm", import.meta.url)));
