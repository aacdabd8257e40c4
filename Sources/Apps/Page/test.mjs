// Pastes objects into the page in Chromium and checks its output: node test.mjs PAGE CORPUS VECTORS SCREENSHOTS.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Checks, readJSON } from "../../Bindings/Wasm/Test/support.mjs";
import { Browser } from "./browser.mjs";

const [page, corpus, vectors, screenshots] = process.argv.slice(2);
const genuine = readJSON(`${vectors}/app-attest/apple-guide-2026.json`);
const virtual = readJSON(`${corpus}/${readdirSync(corpus).find((name) => name.startsWith("accepted.iOS27"))}`);
const checks = new Checks();
const browser = await Browser.open(`file://${resolve(page)}`);
const evaluate = (expression) => browser.evaluate(expression);
const quoted = JSON.stringify;

async function send(fields, reset = true) {
  if (reset) await evaluate("document.querySelector('[type=reset]').click(), new Promise((done) => setTimeout(done, 5))");
  for (const [id, text] of Object.entries(fields)) {
    const target = id === "kind" ? `document.querySelector('[name=kind][value=${text}]')` : `document.getElementById(${quoted(id)})`;
    await evaluate(id === "kind"
      ? `${target}.click()`
      : `(${target}.value = ${quoted(text)}, ${target}.dispatchEvent(new Event("input", { bubbles: true })))`);
  }
  await evaluate("document.getElementById('submit').click()");
  return evaluate(`new Promise((done) => {
    const look = () => {
      const [error, result] = ["error", "result"].map((id) => document.getElementById(id).innerText.trim());
      error || result ? done({ error, result, invalid: document.querySelector("[aria-invalid]")?.id, focus: document.activeElement?.id }) : setTimeout(look, 5);
    };
    look();
  })`);
}
const failedSteps = () => evaluate("[...document.querySelectorAll('.failed .number')].map((each) => each.textContent)");
const base64 = (name) => genuine[name];
const plain = {
  appID: genuine.appID, environment: genuine.environment, keyID: genuine.keyID, challenge: genuine.clientDataHash, "form-of-challenge": "hash",
  time: genuine.verifyAtUTC, object: base64("attestation"),
};
const hexadecimal = (text) => Buffer.from(text, "base64").toString("hex");

// MARK: Objects

await checks.run("a genuine object file verifies", async () => {
  const { error, result } = await send({ object: quoted(genuine) });
  assert.equal(error, "");
  assert.match(result, /^Attestation\n+Attestation verified: all steps passed\./);
  assert.match(result, /Receipt verified: all steps passed\./);
  assert.match(result, new RegExp(`App\\n${genuine.appID}`));
  assert.deepEqual(await failedSteps(), []);
  assert.equal(await evaluate("document.querySelectorAll('.steps > li').length"), 22);
});

await checks.run("a genuine object verifies in each encoding", async () => {
  const forms = {
    base64: plain, base64url: { ...plain, object: Buffer.from(plain.object, "base64").toString("base64url") },
    hexadecimal: { ...plain, object: hexadecimal(plain.object), keyID: hexadecimal(plain.keyID).toUpperCase() },
    lines: { ...plain, object: plain.object.replace(/.{64}/g, "$&\r\n ") },
    text: { ...plain, challenge: Buffer.from(plain.challenge, "base64").toString(), "form-of-challenge": "hash" },
    seconds: { ...plain, time: String(genuine.verifyAt) },
  };
  forms.text.challenge = Buffer.from(plain.challenge, "base64").toString("hex");
  for (const [name, fields] of Object.entries(forms)) {
    const { error, result } = await send(fields);
    assert.equal(error, "", name);
    assert.match(result, /Attestation verified/, name);
  }
});

await checks.run("each fault is explained", async () => {
  const cases = [
    [{ environment: "development" }, ["step 8"], "a distribution build"],
    [{ keyID: Buffer.alloc(32).toString("base64") }, ["step 5"], "the client named a different key from the one it attested"],
    [{ appID: "ABCDE12345.com.example.myapp" }, ["step 6"], "the App ID prefix differs from the one given"],
    [{ time: "2027-01-01T00:00:00Z" }, ["step 1"], "the leaf expired"],
    [{ "form-of-challenge": "bytes" }, ["step 4"], "the challenge was used raw"],
    [{ platform: "macOS" }, undefined, "declared only for macOS"],
    [{ object: Buffer.from(plain.object).toString("base64") }, undefined, "the object is base64 text: decode it first"],
  ];
  for (const [change, steps, cause] of cases) {
    const { error, result } = await send({ ...plain, ...change });
    assert.equal(error, "", cause);
    assert.match(result, /Attestation refused:/, cause);
    assert.ok(result.includes(cause), `${cause}: ${result}`);
    if (steps) assert.deepEqual(await failedSteps(), steps, cause);
  }
});

await checks.run("a virtual device's attestation has another root, and its assertions verify with its key", async () => {
  const { result } = await send({ object: quoted(virtual) });
  assert.match(result, /Attestation refused:/);
  assert.match(result, /a test device, or a forgery/);
  const item = virtual.assertions[0];
  const fields = {
    kind: "assertion", object: item.assertion, appID: virtual.appID, environment: virtual.environment, challenge: item.clientData,
    publicKey: virtual.expect.publicKeyX963,
  };
  assert.match((await send(fields)).result, /^Assertion\n+Assertion verified: all steps passed\./);
  const file = { ...item, appID: virtual.appID, environment: virtual.environment, publicKey: virtual.expect.publicKeyX963 };
  assert.match((await send({ object: quoted(file) })).result, /Assertion verified/);
  const replayed = await send({ ...fields, counter: String(item.counter) });
  assert.match(replayed.result, /the same assertion came before/);
  assert.deepEqual(await failedSteps(), ["step 5"]);
  assert.match((await send({ ...fields, challenge: "e30=" })).result, /differ from the bytes that the client hashed/);
});

// MARK: Bad input

await checks.run("bad input gives one line about its field", async () => {
  const cases = [
    [{ object: "" }, "object"], [{ object: "%%%" }, "object"], [{ object: "{" }, "object"], [{ object: "[]" }, "object"],
    [{ object: "{}" }, "object"], [{ object: '{"attestation":5}' }, "object"], [{ object: "AAAAA" }, "object"], [{ object: "{\"__proto__\":1}" }, "object"],
    [{ object: "A".repeat(5 << 20) }, "object"], [{ object: "A".repeat(3 << 20) }, "object"], [{ appID: "" }, "appID"], [{ appID: "no dot" }, "appID"],
    [{ appID: `A.${"b".repeat(2_000)}` }, "appID"], [{ keyID: "" }, "keyID"], [{ keyID: "=?" }, "keyID"], [{ challenge: "" }, "challenge"],
    [{ time: "yesterday" }, "time"], [{ time: "-1" }, "time"], [{ time: "2026-99-99T00:00:00Z" }, "time"],
    [{ kind: "assertion", publicKey: "" }, "publicKey"], [{ kind: "assertion", publicKey: "AAAA" }, "publicKey"],
    [{ kind: "assertion", publicKey: virtual.expect.publicKeyX963, counter: "x" }, "counter"],
    [{ kind: "assertion", publicKey: Buffer.alloc(200, 1).toString("base64") }, "publicKey"],
    [{ kind: "assertion", publicKey: "-----BEGIN PUBLIC KEY-----" }, "publicKey"],
  ];
  for (const [change, field] of cases) {
    const { error, result, invalid, focus } = await send({ ...plain, ...change });
    const name = quoted(change).slice(0, 60);
    assert.match(error, /^[A-Z][^\n]{10,90}\.$/, name);
    assert.equal(result, "", name);
    assert.deepEqual([invalid, focus], [field, field], name);
  }
  // The page accepts 4 MiB of text, but the verifier rejects a key identifier of 2 MiB.
  const long = await send({ ...plain, keyID: Buffer.alloc(2 << 20).toString("base64") });
  assert.match(long.error, /^[A-Z][^\n]+: the object exceeds the size limit\.$/);
  assert.equal(long.result, "");
});

await checks.run("pasted text never becomes HTML", async () => {
  const tag = '<img src=x onerror="window.taken=1"><script>window.taken=1</script>';
  for (const field of ["object", "appID", "keyID", "challenge", "time"]) await send({ ...plain, [field]: tag });
  const { result } = await send({ ...plain, appID: `A.${tag.replaceAll(" ", "/")}` });
  assert.ok(result.includes("<img/src=x"), result);
  for (const name of ["appID", "keyID", "challenge", "attestation"]) await send({ object: quoted({ ...genuine, [name]: tag }) });
  assert.equal(await evaluate("window.taken"), undefined);
  assert.equal(await evaluate("document.images.length + document.scripts.length"), 2);
});

await checks.run("the page opens no connection", async () => {
  const violations = await evaluate(`(async () => {
    const seen = [];
    addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
    await fetch("https://example.invalid/").catch(() => {});
    await fetch("data:,x").catch(() => {});
    document.body.append(Object.assign(new Image(), { src: "https://example.invalid/x.png" }));
    document.body.append(Object.assign(document.createElement("script"), { textContent: "window.taken = 2" }));
    await new Promise((done) => setTimeout(done, 50));
    document.images[0].remove();
    return [...new Set(seen)].sort();
  })()`);
  assert.deepEqual(violations, ["connect-src", "img-src", "script-src-elem"]);
  assert.equal(await evaluate("window.taken"), undefined);
  assert.deepEqual(browser.requests.filter((url) => !url.startsWith("file:") && !url.includes("example.invalid") && url !== "data:,x"), []);
});

// MARK: For everybody

await checks.run("the keyboard reaches each field in order and submits the form", async () => {
  await send(plain);
  await evaluate("document.activeElement.blur(), scrollTo(0, 0), getSelection().removeAllRanges(), document.body.focus()");
  await evaluate("document.getElementById('object').focus()");
  const reached = ["object"];
  for (let step = 0; step < 10; step += 1) {
    await browser.press("Tab", 9);
    reached.push(await evaluate("document.activeElement.id || document.activeElement.name || document.activeElement.type"));
  }
  assert.deepEqual(reached.slice(0, 11), ["object", "kind", "appID", "environment", "platform", "time", "keyID", "challenge", "form-of-challenge", "submit", "reset"]);
  await evaluate("document.getElementById('result').replaceChildren(), document.getElementById('appID').focus()");
  await browser.press("Enter", 13, "\r");
  await evaluate("new Promise((done) => { const look = () => document.querySelector('.verdict') ? done() : setTimeout(look, 5); look(); })");
  assert.equal(await evaluate("document.activeElement.id"), "result");
});

await checks.run("each field has a label", async () => {
  const without = await evaluate(`[...document.querySelectorAll("input, select, textarea")].filter(({ labels }) => ![...labels].some((label) => label.innerText.trim() || label.hidden || label.closest("[hidden]"))).map(({ id }) => id)`);
  assert.deepEqual(without, []);
  const unknown = await evaluate(`[...document.querySelectorAll("[aria-describedby]")].filter((each) => !document.getElementById(each.getAttribute("aria-describedby"))).length`);
  assert.equal(unknown, 0);
});

/** WCAG 2.2 §1.4.3 and §1.4.11: text 4.5 : 1, borders 3 : 1. */
const contrastOf = `(() => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\da-f]{2}/gi).map((part) => parseInt(part, 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(document.documentElement);
  const value = (name) => {
    const text = style.getPropertyValue("--" + name).trim().slice(1);
    return text.length === 3 ? text.replace(/./g, "$&$&") : text;
  };
  const ratio = (a, b) => {
    const [low, high] = [luminance(value(a)), luminance(value(b))].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const text = [["front", "back"], ["front", "field"], ["front", "card"], ["quiet", "back"], ["quiet", "field"], ["passed", "back"], ["passed", "card"],
    ["failed", "back"], ["failed", "card"], ["accent", "back"], ["on-accent", "accent"]];
  return [...text.filter(([a, b]) => ratio(a, b) < 4.5), ...[["line", "back"], ["line", "field"]].filter(([a, b]) => ratio(a, b) < 3)];
})()`;

const boxes = `[...document.querySelectorAll("h1, h2, header p, form > *, .field > *, .verdict, .steps > li, .steps > li > *, dt, dd, summary, pre, footer")]
  .filter((each) => each.getClientRects().length > 0)
  .map((each) => ({ name: each.tagName + "#" + each.id + "." + each.className + " " + each.innerText.slice(0, 20), parent: [...document.querySelectorAll("*")].indexOf(each.parentElement), ...each.getBoundingClientRect().toJSON() }))`;

await checks.run("the layout fits at each width, in light and dark", async () => {
  mkdirSync(screenshots, { recursive: true });
  for (const scheme of ["light", "dark"]) {
    await browser.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    assert.deepEqual(await evaluate(contrastOf), [], scheme);
    for (const width of [320, 768, 1280]) {
      await browser.resize(width);
      for (const [name, fields] of [["refused", { ...plain, environment: "development", keyID: plain.object.slice(0, 43) }], ["verified", plain]]) {
        await send(fields);
        const about = `${name}, ${width}, ${scheme}`;
        assert.ok(await evaluate("document.documentElement.scrollWidth") <= width, `${about}: wider than the screen`);
        const all = await evaluate(boxes);
        assert.ok(all.length > 60, about);
        for (const box of all) {
          assert.ok(box.left >= 0 && box.right <= width + 0.5 && box.width > 0 && box.height > 0, `${about}: ${quoted(box)}`);
        }
        for (const [index, a] of all.entries()) {
          for (const b of all.slice(index + 1)) {
            if (a.parent !== b.parent) continue;
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            assert.ok(across <= 0.5 || down <= 0.5, `${about}: ${a.name} and ${b.name} overlap`);
          }
        }
        const small = await evaluate(`[...document.querySelectorAll("button, select, input:not([type=radio]), textarea")].filter((each) => each.getClientRects().length > 0 && each.getBoundingClientRect().height < 44).map(({ id }) => id)`);
        assert.deepEqual(small, [], about);
        writeFileSync(`${screenshots}/page-${width}-${scheme}-${name}.png`, await browser.screenshot());
      }
    }
  }
});

assert.deepEqual(browser.exceptions, []);
await browser.close();
assert.ok(!/(src|href)=["']?https?:/.test(readFileSync(page, "utf8")));
console.log(`${checks.count} checks of the page in Chromium; screenshots in ${screenshots}`);
