/** PureAttestRelyingParty.wasm for browsers, and for bundlers, which recognise a file by this form of its URL. */

export default await WebAssembly.compileStreaming(fetch(new URL("./PureAttestRelyingParty.wasm", import.meta.url)));
