/** Checks the apps and policies of a verifier, and defines how each policy is set. */

import { copyOf, limitOf, listOf, membersOf, numberOf, utf8Of } from "./arguments.mjs";

export const PLATFORMS = { device: 0, macOS: 1 };
/** Numbers of Apple's launch constraints. */
const CATEGORIES = {
  platform: 1, testFlight: 2, development: 3, appStore: 4, enterprise: 5, developerID: 6, uncategorized: 10,
};

export function appsOf({ teamID, bundleID, appID, platform, apps }) {
  const single = { teamID, bundleID, appID, platform };
  if (apps !== undefined && Object.values(single).some((value) => value !== undefined)) {
    throw new TypeError("apps: without teamID, bundleID, appID and platform beside it");
  }
  return listOf(apps ?? [single], "apps").map((app) => {
    membersOf(app, "apps", APP_OPTIONS);
    if (app.appID !== undefined && (app.teamID ?? app.bundleID) !== undefined) throw new TypeError("appID: without teamID and bundleID");
    for (const name of ["teamID", "bundleID", "appID"]) {
      if (app[name] !== undefined && typeof app[name] !== "string") throw new TypeError(`${name}: a text`);
    }
    const whole = app.appID ?? (app.teamID && app.bundleID ? `${app.teamID}.${app.bundleID}` : undefined);
    if (typeof whole !== "string") throw new TypeError("teamID and bundleID, or appID, or apps");
    const policies = Object.fromEntries(Object.keys(POLICIES).map((name) => [name, app[name]]));
    return { appID: whole, platform: app.platform ?? "device", policies };
  });
}

/** How each policy is set. An absent member keeps its default, which restricts nothing. */
export const POLICIES = {
  launchPolicy(set, policy) {
    const name = "launchPolicy";
    const { categories, versions, builds, acceptsMissing, believesForgeable } = membersOf(
      policy, name, ["categories", "versions", "builds", "acceptsMissing", "believesForgeable"]);
    for (const category of listOf(categories, `${name}.categories`)) {
      set("accept_category",
        typeof category === "number" ? limitOf(category, "category", 0xffff_ffff) : numberOf(CATEGORIES, category, "category"));
    }
    const { atLeast, oneOf } = membersOf(versions, `${name}.versions`, ["atLeast", "oneOf"]);
    if (versions && (atLeast === undefined) === (oneOf === undefined)) throw new TypeError(`${name}.versions: atLeast or oneOf`);
    if (atLeast !== undefined) set("require_version", utf8Of(atLeast));
    for (const version of listOf(oneOf, `${name}.versions.oneOf`)) set("accept_version", utf8Of(version));
    const { oneOf: hashes, acceptsTruncated } = membersOf(builds, `${name}.builds`, ["oneOf", "acceptsTruncated"]);
    if (builds && hashes === undefined) throw new TypeError(`${name}.builds: oneOf`);
    for (const hash of listOf(hashes, `${name}.builds.oneOf`)) {
      const whole = codeDirectoryHash(hash);
      if (whole.length < 32 && !acceptsTruncated) throw new TypeError(`${name}.builds: 20 bytes need acceptsTruncated`);
      set("accept_build", whole);
    }
    flag(set, "accept_truncated_builds", acceptsTruncated, `${name}.builds.acceptsTruncated`);
    flag(set, "accept_missing", acceptsMissing, `${name}.acceptsMissing`);
    flag(set, "believe_forgeable", believesForgeable, `${name}.believesForgeable`);
  },

  systemPolicy(set, policy) {
    const name = "systemPolicy";
    const { minimumVersion, minimumMacOSVersion, builds, acceptsPrereleases, acceptsUnknown } = membersOf(
      policy, name, ["minimumVersion", "minimumMacOSVersion", "builds", "acceptsPrereleases", "acceptsUnknown"]);
    if (minimumVersion !== undefined) set("require_system", PLATFORMS.device, ...systemVersion(minimumVersion));
    if (minimumMacOSVersion !== undefined) set("require_system", PLATFORMS.macOS, ...systemVersion(minimumMacOSVersion));
    for (const build of listOf(builds, `${name}.builds`)) {
      if (typeof build !== "string" || !/^[ -~]{1,32}$/.test(build)) throw new TypeError(`${name}.builds: texts such as "24B91"`);
      set("accept_system_build", utf8Of(build));
    }
    flag(set, "accept_prereleases", acceptsPrereleases, `${name}.acceptsPrereleases`);
    flag(set, "accept_unknown_systems", acceptsUnknown, `${name}.acceptsUnknown`);
  },

  agePolicy(set, policy) {
    const { maximumAttestationAge, maximumKeyAge, maximumCounterStep } = membersOf(
      policy, "agePolicy", ["maximumAttestationAge", "maximumKeyAge", "maximumCounterStep"]);
    const limit = (name, value, option) => value !== undefined && set(name, limitOf(value, `agePolicy.${option}`));
    limit("limit_attestation_age", maximumAttestationAge, "maximumAttestationAge");
    limit("limit_key_age", maximumKeyAge, "maximumKeyAge");
    limit("limit_counter_step", maximumCounterStep, "maximumCounterStep");
  },
};

const APP_OPTIONS = ["teamID", "bundleID", "appID", "platform", ...Object.keys(POLICIES)];
export const OPTIONS = [...APP_OPTIONS, "apps", "environment", "counterPolicy", "clockSkew"];

function flag(set, name, value, option) {
  if (value === undefined) return;
  if (typeof value !== "boolean") throw new TypeError(`${option}: true or false`);
  set(name, value ? 1 : 0);
}

/** Returns the three numbers of "27", "27.1" or "27.1.2". */
function systemVersion(text) {
  const numbers = typeof text === "string" && /^\d+(\.\d+){0,2}$/.test(text) ? text.split(".") : [];
  if (numbers.length === 0 || numbers.some((number) => String(Number(number)) !== number || number > 65_535)) {
    throw new TypeError('systemPolicy: a version such as "27.1"');
  }
  return [...numbers.map(Number), 0, 0].slice(0, 3);
}

function codeDirectoryHash(value) {
  const isHex = typeof value === "string" && /^([0-9a-f]{2})+$/i.test(value);
  const hash = isHex ? Uint8Array.from(value.match(/../g), (byte) => parseInt(byte, 16)) : copyOf(value, "option");
  if (hash.length !== 32 && hash.length !== 20) throw new TypeError("launchPolicy.builds: 32 bytes, or the first 20");
  return hash;
}
