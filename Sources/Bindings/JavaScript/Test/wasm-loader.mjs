/** Compiles imported .wasm files, as Workers do. */
import { register } from "node:module";

register(`data:text/javascript,${encodeURIComponent(`
  export async function load(url, context, next) {
    if (!url.endsWith(".wasm")) return next(url, context);
    const source = \`import { readFileSync } from "node:fs"; export default new WebAssembly.Module(readFileSync(new URL(\${JSON.stringify(url)})));\`;
    return { format: "module", source, shortCircuit: true };
  }
`)}`);
