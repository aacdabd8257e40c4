/**
 * App Attest verification in WebAssembly: no imports, no dependency.
 *
 * The module is compiled by the caller, because edge workers forbid it at run time.
 */
export class PureAttest {
  #exports;

  /** @param {WebAssembly.Module} module the compiled PureAttestWasm.wasm */
  constructor(module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports;
  }

  /** Bytes of linear memory in use by the instance; it never shrinks. */
  get memorySize() {
    return this.#exports.memory.buffer.byteLength;
  }

  /** @param {Uint8Array} message @returns {Uint8Array} 32 bytes */
  sha256(message) {
    return this.#call(32, [message], (result, ...inputs) => {
      this.#exports.sha256(...inputs, result);
      return this.#read(result, 32);
    });
  }

  /**
   * ECDSA with SHA-256 over P-256. A malformed key or signature is `false`, as a wrong one is.
   *
   * @param {Uint8Array} publicKey 65 bytes, uncompressed
   * @param {Uint8Array} signature DER
   * @param {Uint8Array} message
   * @returns {boolean}
   */
  verifyP256(publicKey, signature, message) {
    return this.#call(0, [publicKey, signature, message], (_, ...inputs) => this.#exports.verifyP256(...inputs) === 1);
  }

  /** As {@link verifyP256}, with SHA-384 over P-384; the key has 97 bytes. */
  verifyP384(publicKey, signature, message) {
    return this.#call(0, [publicKey, signature, message], (_, ...inputs) => this.#exports.verifyP384(...inputs) === 1);
  }

  /** A copy of `count` bytes of the instance's memory. */
  #read(start, count) {
    return new Uint8Array(this.#exports.memory.buffer).slice(start, start + count);
  }

  /**
   * Calls `body(result, pointer, count, …)` with a block for the result and with each input copied into the instance's
   * memory; frees them all on the way out.
   */
  #call(resultSize, inputs, body) {
    const blocks = [];
    const allocate = (size) => {
      const block = this.#exports.allocate(size) >>> 0;
      if (block === 0) throw new RangeError("out of memory");
      blocks.push(block);
      return block;
    };
    try {
      const result = allocate(resultSize);
      const pairs = inputs.flatMap((input) => {
        const block = allocate(input.length);
        // The view is made anew each time: an allocation may have moved the memory to a larger buffer.
        new Uint8Array(this.#exports.memory.buffer).set(input, block);
        return [block, input.length];
      });
      return body(result, ...pairs);
    } finally {
      blocks.forEach((block) => this.#exports.deallocate(block));
    }
  }
}
