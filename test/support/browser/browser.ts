/**
 * A real browser for tests: the system's Chromium, told what to do by the DevTools protocol. It reaches this machine alone:
 * every other host is answered by the test, or not at all.
 */
import { afterEach } from "bun:test";
import { BROWSER } from "../servers/system-program";
import { launchChromium, type Message, startChromium, type Wire } from "./chromium";
import { Documents } from "./documents";
import { untilFramed } from "./frames";
import { type Held, HeldRequests } from "./held";

const FLAGS = ["--no-first-run", "--mute-audio"];
/** A person's: without a window, the browser calls itself by a name that is taken for a robot's. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const TRIES_MS = 15_000;
const BETWEEN_MS = 20;

export interface Look {
  /** Of the window, in CSS pixels. */
  width?: number;
  height?: number;
  isDark?: boolean;
}

export interface PageOptions extends Look {
  userAgent?: string;
  /** True when absent. */
  hasJavaScript?: boolean;
  headers?: Record<string, string>;
  /** What a host beyond this machine answers, as HTML; undefined: it is not found; null: it never answers. */
  answer?(url: string): string | null | undefined;
}

export interface Page {
  /** Resolves once the page is there with all it loads, or once it is `read`, whatever it still waits for. */
  open(url: string, until?: "loaded" | "read"): Promise<void>;
  /** In the page's own world, also where its JavaScript is switched off. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** As a person does it, with the mouse; resolves before what it leads to. */
  click(selector: string): Promise<void>;
  /** Takes hold of it with the mouse and lets go so many pixels further. */
  drag(selector: string, byX: number, byY: number): Promise<void>;
  /** Takes hold of it with a finger and goes where the expression says, `{ x, y }`, until it says null. */
  swipe(selector: string, where: string): Promise<void>;
  /** Into what has the focus. */
  type(text: string): Promise<void>;
  /** A key that types nothing, or one with Control or Alt: `Enter`, `Control+k`, `Alt+ArrowUp`. A single letter types itself. */
  press(key: string): Promise<void>;
  /** Resolves once the expression holds; rejects when it does not in time. */
  until(expression: string): Promise<void>;
  /** Resolves once the frame, which may run no script, shows such a text; rejects when it does not in time. */
  untilFramed(selector: string, text: RegExp): Promise<void>;
  /** URLs that were asked for beyond this machine, in order. */
  asked: string[];
  /** What the page complained of: errors of its scripts and of its policy. */
  complaints: string[];
  /** Shows what is open otherwise from now on. */
  look(look: Look): Promise<void>;
  /** A PNG. */
  picture(): Promise<Buffer>;
  /** Holds back the next request of this method to an address that contains this. */
  hold(method: string, part: string): Held;
  /** Cuts the page off from every host, or lets it reach them again. */
  cutOff(isCut: boolean): Promise<void>;
  /** Sets a cookie that no script reads. */
  cookie(cookie: { name: string; value: string; url: string }): Promise<void>;
  /** Drops all cookies: the page belongs to somebody new from now on. */
  forget(): Promise<void>;
}

export interface Browser {
  /** Shares nothing with other pages. Closes after the test that opened it: a page that stays open goes on drawing. */
  page(options?: PageOptions): Promise<Page>;
  /** The same, for all tests of a file. */
  lastingPage(options?: PageOptions): Promise<Page>;
}

export interface BrowserOptions {
  /** Names that are this machine's, beside its own. */
  hosts?: readonly string[];
}

/** Ends with the test file that started it. */
export async function startBrowser({ hosts = [] }: BrowserOptions = {}): Promise<Browser> {
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(", ");
  const { wire } = await startChromium(BROWSER, [`--host-resolver-rules=${rules}`, ...FLAGS]);
  const here = new Set([...HERE, ...hosts]);
  const contexts: string[] = [];
  const openContext = async () => String((await wire.send("Target.createBrowserContext")).browserContextId);
  afterEach(async () => {
    for (const browserContextId of contexts.splice(0))
      await wire.send("Target.disposeBrowserContext", { browserContextId });
  });
  return {
    async page(options = {}) {
      const context = await openContext();
      contexts.push(context);
      return openPage(wire, here, context, options);
    },
    lastingPage: async (options = {}) => openPage(wire, here, await openContext(), options),
  };
}

/** Outside of tests: whoever launched it closes it. Its pages share nothing. */
export async function launchBrowser(): Promise<Pick<Browser, "page"> & { close(): Promise<void> }> {
  const { wire, close } = await launchChromium(BROWSER, FLAGS);
  return {
    close,
    async page(options = {}) {
      const { browserContextId } = await wire.send("Target.createBrowserContext");
      return openPage(wire, new Set(HERE), String(browserContextId), options);
    },
  };
}

async function openPage(
  wire: Wire,
  here: ReadonlySet<string>,
  browserContextId: string,
  options: PageOptions,
): Promise<Page> {
  const { targetId } = await wire.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await wire.send("Target.attachToTarget", { targetId, flatten: true });
  if (typeof sessionId !== "string") throw new Error("Chromium opened no page");
  const send = (method: string, params?: Message) => wire.send(method, params, sessionId);
  const asked: string[] = [];
  const complaints: string[] = [];
  const documents = new Documents();
  const held = new HeldRequests();
  wire.listen(sessionId, (method, params) => {
    documents.heard(method, params);
    if (method === "Fetch.requestPaused") answerRequest(send, params, { here, asked, held }, options).catch(unlessGone);
    if (method === "Runtime.exceptionThrown") complaints.push(JSON.stringify(params.exceptionDetails));
    if (method === "Log.entryAdded" && !isHint(params.entry)) complaints.push(String(Object(params.entry).text));
  });
  await prepare(wire, send, browserContextId, options);

  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return Object(result).value;
  };
  const until = async (expression: string): Promise<void> => {
    for (const end = Date.now() + TRIES_MS; ; await Bun.sleep(BETWEEN_MS)) {
      // A page that is about to be left may not answer.
      const isTrue = await evaluate<unknown>(expression).catch(() => false);
      if (isTrue) return;
      if (Date.now() > end) throw new Error(`It never came to hold: ${expression}`);
    }
  };
  const placeOf = (selector: string) =>
    evaluate<{ x: number; y: number }>(`(() => { const e = document.querySelector(${JSON.stringify(selector)});
      e.scrollIntoView({ block: "center" }); const { x, y, width, height } = e.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 }; })()`);
  return {
    asked,
    complaints,
    evaluate,
    until,
    untilFramed: (selector, text) => untilFramed({ wire, send }, selector, text),
    async open(url, awaited = "loaded") {
      const { loaderId } = await send("Page.navigate", { url });
      await documents.until(String(loaderId), awaited);
    },
    async drag(selector, byX, byY) {
      const { x, y } = await placeOf(selector);
      const held = { button: "left", buttons: 1, clickCount: 1 };
      await send("Input.dispatchMouseEvent", { type: "mousePressed", x, y, ...held });
      await send("Input.dispatchMouseEvent", { type: "mouseMoved", x: x + byX, y: y + byY, ...held });
      await send("Input.dispatchMouseEvent", { type: "mouseReleased", x: x + byX, y: y + byY, ...held, buttons: 0 });
    },
    async swipe(selector, where) {
      const touch = (type: string, ...touchPoints: unknown[]) =>
        send("Input.dispatchTouchEvent", { type, touchPoints });
      await touch("touchStart", await placeOf(selector));
      for (const end = Date.now() + TRIES_MS; ; await Bun.sleep(BETWEEN_MS)) {
        const at = await evaluate<{ x: number; y: number } | null>(where);
        if (at === null) break;
        if (Date.now() > end) throw new Error(`The finger never came to the end of: ${where}`);
        await touch("touchMove", at);
      }
      await touch("touchEnd");
    },
    async click(selector) {
      const at = { ...(await placeOf(selector)), button: "left", clickCount: 1 };
      await send("Input.dispatchMouseEvent", { type: "mousePressed", ...at });
      await send("Input.dispatchMouseEvent", { type: "mouseReleased", ...at });
    },
    async type(text) {
      await send("Input.insertText", { text });
    },
    async press(name) {
      const [key = "", held = ""] = name.split("+").reverse();
      const code = CODES[key] ?? key.toUpperCase().charCodeAt(0);
      const text = held ? undefined : key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
      const pressed = { key, windowsVirtualKeyCode: code, modifiers: HELD[held] ?? 0 };
      await send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...pressed, text });
      await send("Input.dispatchKeyEvent", { type: "keyUp", ...pressed });
    },
    look: (look) => show(send, look),
    async picture() {
      const { data } = await send("Page.captureScreenshot", { format: "png" });
      return Buffer.from(String(data), "base64");
    },
    hold: (method, part) => held.next(method, part),
    async cutOff(offline) {
      await send("Network.enable");
      const endless = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
      await send("Network.emulateNetworkConditions", { offline, ...endless });
    },
    async cookie(cookie) {
      await send("Network.setCookie", { ...cookie, httpOnly: true, sameSite: "Strict" });
    },
    async forget() {
      await send("Network.clearBrowserCookies");
    },
  };
}

/** Of keys that type nothing. */
const CODES: Record<string, number> = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  PageUp: 33,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
};
const HELD: Record<string, number> = { Alt: 1, Control: 2 };

type Send = (method: string, params?: Message) => Promise<Message>;

async function prepare(wire: Wire, send: Send, browserContextId: unknown, options: PageOptions): Promise<void> {
  const { userAgent = USER_AGENT, hasJavaScript = true, headers } = options;
  const permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
  await Promise.all([
    wire.send("Browser.grantPermissions", { permissions, browserContextId }),
    send("Page.enable"),
    send("Runtime.enable"),
    send("Log.enable"),
    send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }),
    show(send, options),
    send("Emulation.setFocusEmulationEnabled", { enabled: true }),
    send("Emulation.setScriptExecutionDisabled", { value: !hasJavaScript }),
    send("Emulation.setUserAgentOverride", { userAgent }),
    ...(headers ? [send("Network.enable"), send("Network.setExtraHTTPHeaders", { headers })] : []),
  ]);
}

async function show(send: Send, { width = 1_024, height = 768, isDark = false }: Look): Promise<void> {
  const features = [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }];
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  await send("Emulation.setEmulatedMedia", { features });
}

const HERE = ["localhost", "127.0.0.1"];

interface Known {
  here: ReadonlySet<string>;
  asked: string[];
  held: HeldRequests;
}

async function answerRequest(send: Send, params: Message, known: Known, { answer }: PageOptions): Promise<void> {
  const { here, asked, held } = known;
  const { requestId, request } = params;
  const { method, url } = Object(request);
  if (here.has(new URL(url).hostname)) {
    await held.until(method, url);
    return void (await send("Fetch.continueRequest", { requestId }));
  }
  asked.push(url);
  const html = answer?.(url);
  if (html === null) return;
  if (html === undefined) return void (await send("Fetch.failRequest", { requestId, errorReason: "NameNotResolved" }));
  await send("Fetch.fulfillRequest", {
    requestId,
    responseCode: 200,
    responseHeaders: [{ name: "content-type", value: "text/html" }],
    body: Buffer.from(html).toString("base64"),
  });
}

/** A page that is left, or closed, takes its requests with it: there is nothing left to answer. */
function unlessGone({ message }: Error): void {
  if (!/^(Invalid InterceptionId|Session with given id not found)/.test(message)) throw new Error(message);
}

/** A test types sooner than a person, before the browser has put the cursor anywhere. */
const isHint = (entry: unknown): boolean => String(Object(entry).text).startsWith("Autofocus processing was blocked");
