/** An instance of a module: its memory, and calls with copies of bytes. */

import { BrokenInstanceError, RefusedError } from "./errors.mjs";

/** Instantiates a module that the caller compiled, because edge workers forbid it at run time. */
export async function instanceOf(module) {
  if (!(module instanceof WebAssembly.Module)) throw new TypeError("module: a compiled WebAssembly.Module");
  return WebAssembly.instantiate(module, {});
}

export class ModuleInstance {
  #exports;
  #isBroken = false;

  constructor({ exports }) {
    this.#exports = exports;
  }

  get memorySize() {
    return this.#exports.memory.buffer.byteLength;
  }

  get isBroken() {
    return this.#isBroken;
  }

  /**
   * Calls `body(result, pointer, count, …)` with a result block and a copy of each input in the instance's memory, and
   * frees all blocks afterwards.
   */
  call(resultSize, inputs, body) {
    if (this.#isBroken) throw new BrokenInstanceError();
    const blocks = [];
    const allocate = (size) => {
      const block = this.#exports.pure_attest_allocate(size) >>> 0;
      if (block === 0) throw new RangeError("out of memory");
      blocks.push(block);
      return block;
    };
    try {
      const result = resultSize === 0 ? 0 : allocate(resultSize);
      const pairs = inputs.flatMap((input) => {
        const block = allocate(input.length);
        // Creates a new view each time, because an allocation may have moved the memory to a larger buffer.
        new Uint8Array(this.#exports.memory.buffer).set(input, block);
        return [block, input.length];
      });
      return body(result, ...pairs);
    } catch (error) {
      // The inputs were checked before, so any other error means that the instance trapped.
      if (!(error instanceof RefusedError)) this.#isBroken = true;
      throw error;
    } finally {
      if (!this.#isBroken) blocks.forEach((block) => this.#exports.pure_attest_deallocate(block));
    }
  }

  /**
   * Creates an object from settings, and returns the functions that pass it messages. `name` is the export that creates
   * the object, and `module` is the file that has this export. Its arguments are `handles`, then the settings.
   */
  partner(name, module, settings, ...handles) {
    const create = this.#exports[name];
    if (!create) throw new TypeError(`module: ${module}`);
    const handle = this.call(0, [settings], (_, ...pair) => create(...handles, ...pair));
    if (handle === 0) throw new TypeError("malformed settings");
    const reply = (name, input, ...numbers) => this.replyOf([input], (result, ...pair) =>
      this.#exports[`pure_attest_messages_${name}`](handle, ...numbers, ...pair, result));
    const isBroken = () => this.#isBroken;
    return {
      begin: (request) => reply("begin", request),
      answer: (number, answer) => reply("answer", answer, number),
      drop: (number) => this.call(0, [], () => this.#exports.pure_attest_messages_drop(handle, number)),
      get isBroken() { return isBroken(); },
    };
  }

  /** Copies and frees the block whose address and size a call writes into its result. */
  replyOf(inputs, body) {
    return this.call(8, inputs, (result, ...pairs) => {
      accept(body(result, ...pairs));
      const view = this.view(result, 8);
      const [block, count] = [view.getUint32(0, true), view.getUint32(4, true)];
      try {
        return this.copy(block, count);
      } finally {
        this.#exports.pure_attest_deallocate(block);
      }
    });
  }

  copy(start, count) {
    return new Uint8Array(this.#exports.memory.buffer).slice(start, start + count);
  }

  view(start, count) {
    return new DataView(this.copy(start, count).buffer);
  }
}

export function accept(code) {
  if (code !== 0) throw new RefusedError(code);
}
