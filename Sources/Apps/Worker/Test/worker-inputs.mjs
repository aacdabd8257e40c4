// Tests how the Worker parses Base64, client addresses and session keys: node worker-inputs.mjs.
import assert from "node:assert/strict";
import { decode, encode, encodeURL } from "../../../Bindings/JavaScript/RelyingParty/base64.mjs";
import { clientAddressOf } from "../../../Bindings/JavaScript/RelyingParty/client-address.mjs";
import { sessionKeys } from "../settings.mjs";
import { Checks } from "../../../Bindings/Wasm/Test/support.mjs";

const checks = new Checks();
const check = (name, body) => checks.run(name, body);
const env = { SESSION_KEY: Buffer.alloc(32, 7).toString("base64"), SESSION_KEY_ID: "2026-09" };

await check("base64 has one accepted encoding in each alphabet", () => {
  for (let length = 0; length < 70; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 89 + 250) & 255);
    const standard = Buffer.from(bytes).toString("base64");
    const url = Buffer.from(bytes).toString("base64url");
    assert.equal(encode(bytes), standard);
    assert.equal(encodeURL(bytes), url);
    for (const text of [standard, url, standard.replaceAll("=", "")]) assert.deepEqual(decode(text), bytes);
  }
  for (const text of ["%", "A", "AB", "AAB", "AA=", "AAA==", "=", "====", "AAAA=", " AAAA", "AA\nAA", "+-AA", "_/AA", 5, null, undefined, ["AAAA"]]) {
    assert.equal(decode(text), undefined, String(text));
  }
});

await check("missing, short and badly named keys are configuration errors, and a former key follows", () => {
  for (const changes of [
    { SESSION_KEY: undefined }, { SESSION_KEY: "" }, { SESSION_KEY: Buffer.alloc(31).toString("base64") }, { SESSION_KEY_ID: undefined },
    { SESSION_KEY_ID: "" }, { SESSION_KEY_ID: 'a"b' }, { SESSION_KEY_ID: "x".repeat(65) }, { FORMER_SESSION_KEY: env.SESSION_KEY },
  ]) {
    assert.throws(() => sessionKeys({ ...env, ...changes }), TypeError, JSON.stringify(changes));
  }
  const former = { FORMER_SESSION_KEY: Buffer.alloc(40, 8).toString("base64url"), FORMER_SESSION_KEY_ID: "2026-08" };
  assert.deepEqual(sessionKeys({ ...env, ...former }), [
    { id: "2026-09", secret: new Uint8Array(32).fill(7) }, { id: "2026-08", secret: new Uint8Array(40).fill(8) },
  ]);
});

await check("all addresses of one subscriber are one client address", () => {
  const ipv4 = (...octets) => [4, ...octets];
  const ipv6 = (...groups) => [6, ...groups.flatMap((group) => [group >> 8, group & 255])];
  for (const [address, name] of [
    ["192.0.2.1", ipv4(192, 0, 2, 1)], ["::ffff:192.0.2.1", ipv4(192, 0, 2, 1)], ["2001:db8:1:2:3:4:5:6", ipv6(0x2001, 0xdb8, 1, 2)],
    ["2001:DB8:1:2::1", ipv6(0x2001, 0xdb8, 1, 2)], ["2001:0db8:0001:0002:ffff::", ipv6(0x2001, 0xdb8, 1, 2)],
    ["2001:db8::1", ipv6(0x2001, 0xdb8, 0, 0)], ["::1", ipv6(0, 0, 0, 0)], ["::", ipv6(0, 0, 0, 0)], ["1:2:3:4:5:6:7::", ipv6(1, 2, 3, 4)],
    ["::2:3:4:5:6:7:8", ipv6(0, 2, 3, 4)], ["1:2:3:4:5:6:255.0.10.1", ipv6(1, 2, 3, 4)], ["::FFFF:c000:0201", ipv4(192, 0, 2, 1)],
    ["0:0:0:0:0:ffff:0:1", ipv4(0, 0, 0, 1)], ["::ffff:0:192.0.2.1", ipv6(0, 0, 0, 0)], ["fe80::1%eth0", ipv6(0xfe80, 0, 0, 0)],
  ]) {
    assert.deepEqual(clientAddressOf(address), Uint8Array.from(name), address);
  }
});

await check("malformed addresses are rejected, also with any invisible character", () => {
  const addresses = ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"];
  // Prepend and combining characters, joiners, line ends, white space, and digits and letters of other scripts.
  const hidden = ["\u0600", "\u0601", "\u06dd", "\u070f", "\u08e2", "\u{110bd}", "\u0301", "\u200d", "\u200b", "\ufeff", "\u00a0", "\u2028", "\r\n", "\n",
    " ", "\t", "\0", "%", "%0", "%eth0", "%\u0600", ",", ", ", "\uff0e", "\u0661", "\uff11", "\uff41", "\ud800", "/64", "]", ":80", "-1", "+1", "g"];
  let count = 0;
  for (const address of addresses) {
    for (const character of hidden) {
      for (let index = 0; index <= address.length; index += 1) {
        const text = address.slice(0, index) + character + address.slice(index);
        // Inside an IPv6 address, ":80" is a group of the address and not a port.
        if (character === ":80" && index < address.length && address.includes(":")) continue;
        if (character === ":80" && address === "2001:db8::1") continue;
        assert.equal(clientAddressOf(text), undefined, JSON.stringify(text));
        count += 1;
      }
    }
  }
  // The loops have tried 33 characters at 39 places, and a port at 11 places.
  assert.equal(count, 33 * 39 + 11);
  for (const text of [
    "", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "1.2.3.", ".1.2.3", "1..2.3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8", "1::2::3", ":::", ":", ":1", "1:", "1:::2", "12345::", "1.2.3.4::", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3.4:5", "::1.2.3.256",
    "0x7f.1", "2130706433", "[::1]", "2001:db8::1%eth0",
  ]) assert.equal(clientAddressOf(text), undefined, text);
});

console.log(`${checks.count} checks of the Worker's inputs passed`);
