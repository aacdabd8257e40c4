/** PureAttestRelyingParty.wasm for browsers and bundlers. Bundlers recognise the file by this form of its URL. */

export default await WebAssembly.compileStreaming(fetch(new URL("./PureAttestRelyingParty.wasm", import.meta.url)));
