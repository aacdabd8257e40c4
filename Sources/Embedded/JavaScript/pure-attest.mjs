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
    return this.#call(32, [message], (result, [pointer, count]) => {
      this.#exports.sha256(pointer, count, result);
      return 32;
    });
  }

  /**
   * Copies `inputs` into the instance's memory, calls `body(result, pointersAndCounts)`, and returns the bytes of the
   * result block that it counts; everything is freed on the way out.
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
      const count = body(result, pairs);
      return new Uint8Array(this.#exports.memory.buffer).slice(result, result + count);
    } finally {
      blocks.forEach((block) => this.#exports.deallocate(block));
    }
  }
}
