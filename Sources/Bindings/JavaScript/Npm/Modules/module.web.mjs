/** PureAttestWasm.wasm for browsers and bundlers. Bundlers recognise the file by this form of its URL. */

export default await WebAssembly.compileStreaming(fetch(new URL("./PureAttestWasm.wasm", import.meta.url)));
