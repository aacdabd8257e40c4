/** Converts pasted text to bytes and to a verification's inputs. Each error is one line about one field. */

export class InputError extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

const MAXIMUM = 4 << 20;

/** Decodes Base64, Base64url or hexadecimal text; padding, spaces and line ends are optional. */
export function bytesOf(text, field, name) {
  const dense = text.replace(/\s+/g, "");
  if (dense === "") throw new InputError(field, `${name}: this field is empty.`);
  if (dense.length > MAXIMUM) throw new InputError(field, `${name}: longer than any valid object.`);
  if (/^([0-9a-f]{2})+$/i.test(dense)) return Uint8Array.from(dense.match(/../g), (pair) => parseInt(pair, 16));
  const standard = dense.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  const wrong = /[^A-Za-z0-9+/]/u.exec(standard);
  if (wrong || standard.length % 4 === 1) {
    throw new InputError(field, `${name}: neither Base64 nor hexadecimal${wrong ? ` (it contains ${JSON.stringify(wrong[0])})` : " (it is truncated)"}.`);
  }
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

/** Returns seconds since 1970, from the clock if the text is empty. */
export function timeOf(text) {
  const given = text.trim();
  if (given === "") return Math.floor(Date.now() / 1000);
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(given);
  const value = isDate ? Date.parse(given) / 1000 : /^\d{1,12}$/.test(given) ? Number(given) : NaN;
  if (!(value >= 0)) throw new InputError("time", "Time: enter it as 2026-04-21T18:13:12Z or as seconds since 1970.");
  return value;
}

export function counterOf(text) {
  const given = text.trim();
  if (!/^\d{1,10}$/.test(given) || Number(given) > 0xffff_ffff) throw new InputError("counter", "Last counter: enter a whole number below 2^32.");
  return Number(given);
}

/** Returns the object file if the text is JSON, with members of the right types. */
export function fileOf(text) {
  if (!/^\s*[{["]/.test(text)) return null;
  if (text.length > MAXIMUM) throw new InputError("object", "Object: longer than any valid object.");
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    throw new InputError("object", "Object: it begins like JSON, but is malformed.");
  }
  if (typeof file === "string") return { attestation: file };
  if (file === null || typeof file !== "object" || Array.isArray(file)) throw new InputError("object", "Object: it is JSON, but not an object file.");
  const texts = ["attestation", "assertion", "keyID", "challenge", "clientDataHash", "appID", "environment", "platform", "clientData",
    "publicKey", "keyRecord"];
  for (const name of texts) {
    if (file[name] !== undefined && file[name] !== null && typeof file[name] !== "string") {
      throw new InputError("object", `Object: ${name} in the JSON must be a string.`);
    }
  }
  if (!file.attestation && !file.assertion) throw new InputError("object", "Object: the JSON has neither attestation nor assertion.");
  return file;
}
