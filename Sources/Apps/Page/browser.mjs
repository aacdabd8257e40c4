/** A headless Chromium through its debugging pipe (DevTools protocol), without dependencies in Node. */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

export class Browser {
  #process;
  #profile;
  #calls = new Map();
  #last = 0;
  #session;
  /** The page's network requests. */
  requests = [];
  exceptions = [];
  /** Failed requests, and console errors. */
  failures = [];
  #urls = new Map();

  static async open(url) {
    const browser = new Browser();
    browser.#profile = mkdtempSync(`${tmpdir()}/pure-attest-page-`);
    const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"];
    const chromium = process.env.CHROMIUM ?? "chromium";
    browser.#process = spawn(chromium, [...flags, `--user-data-dir=${browser.#profile}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    browser.#process.on("exit", () => {
      for (const { reject } of browser.#calls.values()) reject(new Error("chromium ended"));
    });
    let rest = "";
    browser.#process.stdio[4].setEncoding("utf8").on("data", (part) => {
      const messages = (rest + part).split("\0");
      rest = messages.pop();
      for (const message of messages) browser.#receive(JSON.parse(message));
    });
    const { targetId } = await browser.call("Target.createTarget", { url: "about:blank" });
    browser.#session = (await browser.call("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    await Promise.all(["Page.enable", "Runtime.enable", "Network.enable", "Log.enable"].map((method) => browser.call(method)));
    await browser.go(url);
    return browser;
  }

  async go(url) {
    const { errorText } = await this.call("Page.navigate", { url });
    if (errorText) throw new Error(`${url}: ${errorText}`);
    await this.evaluate("new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', done))");
  }

  #receive({ id, method, params, result, error }) {
    if (method === "Network.requestWillBeSent") {
      this.requests.push(params.request.url);
      this.#urls.set(params.requestId, params.request.url);
    }
    if (method === "Network.responseReceived" && params.response.status >= 400) this.failures.push(`${params.response.status} ${params.response.url}`);
    if (method === "Network.loadingFailed" && !params.canceled) this.failures.push(`${params.errorText} ${this.#urls.get(params.requestId)}`);
    if (method === "Runtime.consoleAPICalled" && params.type === "error") this.failures.push(params.args.map(({ value, description }) => value ?? description).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error") this.failures.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    if (method === "Runtime.exceptionThrown") this.exceptions.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    if (error) call.reject(new Error(error.message));
    else call.resolve(result);
  }

  call(method, params = {}) {
    const id = (this.#last += 1);
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.#session })}\0`);
    });
  }

  /** Returns the value of an expression, or of its promise. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async press(key, keyCode, text) {
    for (const type of ["keyDown", "keyUp"]) {
      await this.call("Input.dispatchKeyEvent", { type, key, code: key, windowsVirtualKeyCode: keyCode, ...(type === "keyDown" && text ? { text } : {}) });
    }
  }

  resize(width, height = 900) {
    return this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  }

  async screenshot() {
    const { cssContentSize: { width, height } } = await this.call("Page.getLayoutMetrics");
    const clip = { x: 0, y: 0, width, height, scale: 1 };
    return Buffer.from((await this.call("Page.captureScreenshot", { captureBeyondViewport: true, clip })).data, "base64");
  }

  async close() {
    const ended = new Promise((done) => this.#process.on("exit", done));
    await this.call("Browser.close").catch(() => this.#process.kill());
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
