// Serves the documentation site and tests it in Chromium: node check.mjs SITE SCREENSHOTS. docs.sh --check calls it.
import assert from "node:assert/strict";
import { createReadStream, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, relative, resolve } from "node:path";
import { Checks } from "../Bindings/Wasm/Test/support.mjs";
import { Browser } from "../Apps/Page/browser.mjs";

const [site, screenshots] = process.argv.slice(2).map((path) => resolve(path));
const types = {
  ".css": "text/css", ".html": "text/html", ".ico": "image/x-icon", ".jpg": "image/jpeg", ".js": "text/javascript", ".json": "application/json",
  ".png": "image/png", ".svg": "image/svg+xml",
};

/** Returns the file for a request of `path`, by the usual rules of static file servers; undefined if there is none. */
function fileAt(path) {
  const file = join(site, decodeURIComponent(path));
  return [file, join(file, "index.html")].find((each) => existsSync(each) && statSync(each).isFile());
}

const server = createServer(({ url }, response) => {
  const file = fileAt(new URL(url, "http://localhost").pathname);
  response.writeHead(file ? 200 : 404, { "content-type": types[extname(file ?? "")] ?? "application/octet-stream" });
  if (file) createReadStream(file).pipe(response);
  else response.end();
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;

/** A page of each kind, with texts that it shows. */
const pages = [
  { name: "start", path: "/documentation/", texts: ["PureAttest", "Run a server", "Embed it", "Audit or benchmark it", "Your first server in ten minutes", "PureAttestStoreTesting"] },
  { name: "tutorial", path: "/documentation/pureattestserver/firstserver", texts: ["Your first server in ten minutes", "pure-attest init ../FirstServer", "Next steps"] },
  { name: "symbol", path: "/documentation/pureattest/appattestverifier", texts: ["AppAttestVerifier", "struct AppAttestVerifier", "verifyAttestation"] },
];

const checks = new Checks();
const browser = await Browser.open("about:blank");
const evaluate = (expression) => browser.evaluate(expression);

/** Waits until an expression is true. During navigation the evaluation may fail, which counts as false. */
async function until(condition, message) {
  for (let tries = 0; !(await evaluate(condition).catch(() => false)); tries += 1) {
    assert.ok(tries < 200, message);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Opens a page and waits until it shows its texts and images. */
async function open({ path, texts }) {
  await browser.go(origin + path);
  for (const text of texts) await until(`document.body.innerText.includes(${JSON.stringify(text)})`, `${path} does not show "${text}"`);
  await evaluate("Promise.all([...document.images].map((each) => { each.loading = 'eager'; return each.decode(); }))");
}

/** Returns the share of pixels that differ from the most frequent colour, and the luminance of this colour (0 to 1). */
const inspect = (png) => evaluate(`(async () => {
  const image = new Image();
  image.src = "data:image/png;base64,${png.toString("base64")}";
  await image.decode();
  const context = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d");
  context.drawImage(image, 0, 0);
  const counts = new Map();
  for (const pixel of new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const [[color, count]] = [...counts].sort((a, b) => b[1] - a[1]);
  return { drawn: 1 - count / image.width / image.height, luminance: ((color & 255) * 0.2126 + (color >> 8 & 255) * 0.7152 + (color >> 16 & 255) * 0.0722) / 255 };
})()`);

await checks.run("the root leads to the start page", async () => {
  await browser.call("Page.navigate", { url: origin });
  await until("location.pathname === '/documentation/' && document.readyState === 'complete'", "the root does not lead to the start page");
});

mkdirSync(screenshots, { recursive: true });
for (const page of pages) {
  for (const scheme of ["light", "dark"]) {
    for (const width of [375, 1280]) {
      await checks.run(`${page.name}, ${scheme}, ${width} pixels`, async () => {
        await browser.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
        await browser.resize(width);
        await open(page);
        // Makes the window as high as the page, because a screenshot beyond the window would change the layout. Disables the sidebar's slide
        // animation.
        await evaluate("document.head.append(Object.assign(document.createElement('style'), { textContent: '* { transition: none !important }' }))");
        await browser.resize(width, await evaluate("document.documentElement.scrollHeight"));
        await evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        assert.ok(await evaluate("document.documentElement.scrollWidth") <= width, "the page is wider than the screen");
        const [sidebar, content] = await evaluate("['.sidebar', 'main'].map((each) => document.querySelector(each).getBoundingClientRect().toJSON())");
        assert.ok(sidebar.right <= content.left || width < 600, "the sidebar covers the page");
        const screenshot = await browser.screenshot();
        writeFileSync(join(screenshots, `${page.name}-${width}-${scheme}.png`), screenshot);
        const { drawn, luminance } = await inspect(screenshot);
        assert.ok(drawn > 0.02, "the page is blank");
        assert.ok(scheme === "dark" ? luminance < 0.2 : luminance > 0.8, `the background's luminance is ${luminance}`);
        assert.deepEqual([...browser.failures, ...browser.exceptions], []);
      });
    }
  }
}

await open(pages[0]);
await checks.run("the start page shows its chart, in the colours of each scheme", async () => {
  for (const scheme of ["light", "dark"]) {
    await browser.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    const chart = `/images/Site/peers${scheme === "dark" ? "~dark" : ""}.svg`;
    await until(`[...document.images].some((each) => each.currentSrc === ${JSON.stringify(origin + chart)} && each.complete && each.naturalWidth > 0)`, `the page does not show ${chart}`);
  }
});

await checks.run("the start page lists each module with its abstract", async () => {
  const listed = await evaluate("[...document.querySelectorAll('.link-block')].map((each) => [...each.querySelectorAll('.link, .abstract')].map((part) => part.innerText.trim()))");
  assert.equal(listed.length, readdirSync(join(site, "data/documentation")).filter((name) => name.endsWith(".json")).length);
  assert.deepEqual(listed.filter(([title, abstract]) => !title || !abstract), []);
});

await checks.run("each link of the start page leads to an existing page", async () => {
  const links = await evaluate("[...document.querySelectorAll('a[href]')].map((each) => [each.href, each.innerText.trim()])");
  assert.ok(links.length > 30, `${links.length} links`);
  for (const [href, text] of links) {
    const { origin: of, pathname, hash } = new URL(href);
    assert.equal(of, origin, href);
    assert.ok(fileAt(pathname) && fileAt(`/data${pathname.replace(/\/$/, "")}.json`), `${href} (${text})`);
    if (hash) assert.ok(await evaluate(`document.getElementById(${JSON.stringify(hash.slice(1))}) !== null`), href);
  }
});

await checks.run("each link between pages leads to an existing page", async () => {
  const files = readdirSync(join(site, "data"), { recursive: true }).filter((name) => name.endsWith(".json"));
  const known = new Set(files.map((name) => `/${name.slice(0, -5)}`));
  const lost = new Set();
  let count = 0;
  for (const name of files) {
    for (const { type, url } of Object.values(JSON.parse(readFileSync(join(site, "data", name))).references ?? {})) {
      if ((type !== "topic" && type !== "section") || !url?.startsWith("/")) continue;
      count += 1;
      if (!known.has(url.split("#")[0])) lost.add(`${name}: ${url}`);
    }
  }
  assert.deepEqual([...lost], []);
  assert.ok(count > 1_000, `${count} links`);
});

await browser.close();
server.close();
console.log(`${checks.count} checks of the site in Chromium; screenshots in ${relative(".", screenshots)}`);
