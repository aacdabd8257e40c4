/** Helpers of the test files. */

import { existsSync, readFileSync } from "node:fs";

export const base64 = (text) => new Uint8Array(Buffer.from(text, "base64"));
export const readJSON = (path) => JSON.parse(readFileSync(path, "utf8"));

export const compile = (path) => new WebAssembly.Module(readFileSync(path));

/** Named checks; the first failure throws. */
export class Checks {
  count = 0;

  async run(name, body) {
    try {
      await body();
    } catch (error) {
      error.message = `${name}: ${error.message}`;
      throw error;
    }
    this.count += 1;
  }
}

/** Returns the code of the RefusedError of `body` ("certificate/expired"), or "verified". Other errors fail. */
export function codeOf(body) {
  try {
    body();
    return "verified";
  } catch (error) {
    if (error.name !== "RefusedError") throw error;
    return error.detail ? `${error.code}/${error.detail}` : error.code;
  }
}

/** Returns `path` below the extra vectors, or undefined. */
export function extra(folder, path) {
  return folder && existsSync(`${folder}/${path}`) ? `${folder}/${path}` : undefined;
}

/** Returns a generator of pseudorandom numbers, the same in every run (Marsaglia's xorshift32). */
export function random(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const given = (policy) => Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== null));

function launchPolicyOf({ launchPolicy }) {
  if (launchPolicy === null) return undefined;
  const { validationCategories: categories, bundleVersions, codeDirectoryHashes: hashes } = launchPolicy;
  const versions = bundleVersions ? { oneOf: bundleVersions } : undefined;
  const builds = hashes ? { oneOf: hashes.map(base64) } : undefined;
  return { categories, versions, builds, acceptsMissing: false };
}

/** Returns the platform and policies of a file that `pure-attest simulate` wrote. */
export function policiesOf(file) {
  return {
    platform: file.platform, launchPolicy: launchPolicyOf(file), systemPolicy: given(file.systemPolicy), agePolicy: given(file.agePolicy),
  };
}
