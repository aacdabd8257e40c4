/**
 * The messages between relying-party.mjs or purchases.mjs and its module (Messages.swift). A message is a list of
 * untyped values, like a database's parameters and columns. Each value has a byte for its kind, then nothing (0, null),
 * a number in 8 bytes (1), or a count in 4 bytes and bytes (2); numbers are little-endian.
 */

import { concatenate } from "./request-body.mjs";

const utf8 = new TextEncoder();

/** Encodes null, whole numbers, bytes, and texts as their UTF-8. */
export const encode = (values) => concatenate(values.map(partOf));

function partOf(value) {
  if (value === null) return Uint8Array.of(0);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a whole number`);
    const part = new DataView(new ArrayBuffer(9));
    part.setUint8(0, 1);
    part.setBigInt64(1, BigInt(value), true);
    return new Uint8Array(part.buffer);
  }
  const bytes = typeof value === "string" ? utf8.encode(value) : value;
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`no message contains values of type ${typeof value}`);
  const part = new Uint8Array(5 + bytes.length);
  part[0] = 2;
  new DataView(part.buffer).setUint32(1, bytes.length, true);
  part.set(bytes, 5);
  return part;
}

/** Decodes a message of the module, which is well-formed. */
export function decode(message) {
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  const values = [];
  for (let offset = 0; offset < message.length;) {
    const kind = message[offset];
    offset += 1;
    if (kind === 0) {
      values.push(null);
    } else if (kind === 1) {
      values.push(Number(view.getBigInt64(offset, true)));
      offset += 8;
    } else {
      const count = view.getUint32(offset, true);
      offset += 4;
      values.push(message.slice(offset, offset + count));
      offset += count;
    }
  }
  return values;
}

/** Returns the text of a name in a message. */
export const nameOf = (bytes) => String.fromCharCode(...bytes);
