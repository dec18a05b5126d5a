/**
 * A real browser for tests: the system's Chromium, told what to do by the DevTools protocol. It reaches this machine alone:
 * every other host is answered by the test, or not at all.
 */
import { afterAll, afterEach } from "bun:test";
import { BROWSER } from "../servers/system-program";
import { BROWSER_FLAGS, launchChromium, type Message, type Wire } from "./chromium";
import { Documents } from "./documents";
import { untilFramed } from "./frames";
import { BETWEEN_MS, type Hand, handOf, type Send, TRIES_MS } from "./hand";
import { type Held, HeldRequests } from "./held";
import { openTab, ownBrowser, type Tab } from "./own-browser";

/** A person's: without a window, the browser calls itself by a name that is taken for a robot's. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

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

export interface Page extends Hand {
  /** Resolves once the page is there with all it loads, or once it is `read`, whatever it still waits for. */
  open(url: string, until?: "loaded" | "read"): Promise<void>;
  /** In the page's own world, also where its JavaScript is switched off. */
  evaluate<Value>(expression: string): Promise<Value>;
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
  /** Cuts the page off from every host and from what it kept of them, or lets it reach them again. */
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

/** That of this process, for the tests of a file. */
export async function startBrowser({ hosts = [] }: BrowserOptions = {}): Promise<Browser> {
  const { wire, takeTab, giveBack, drop } = await ownBrowser();
  const here = new Set([...HERE, ...hosts]);
  const open = async (opened: OpenPage[], options: PageOptions) => {
    const one = await openPage(wire, here, await takeTab(), options);
    opened.push(one);
    return one.page;
  };
  const leaveAll = async (opened: OpenPage[]) => {
    for (const { tab, leave } of opened.splice(0)) {
      const origins = await leave().catch(() => undefined);
      // A page that cannot be left, as one that crashed, is none that another test could use.
      await (origins ? giveBack(tab, origins) : drop(tab));
    }
  };
  const ofTest: OpenPage[] = [];
  const ofFile: OpenPage[] = [];
  afterEach(() => leaveAll(ofTest));
  afterAll(() => leaveAll(ofFile));
  return {
    page: (options = {}) => open(ofTest, options),
    lastingPage: (options = {}) => open(ofFile, options),
  };
}

/** Outside of tests: whoever launched it closes it. Its pages share nothing. */
export async function launchBrowser(): Promise<Pick<Browser, "page"> & { close(): Promise<void> }> {
  const { wire, close } = await launchChromium(BROWSER, BROWSER_FLAGS);
  return {
    close,
    page: async (options = {}) => (await openPage(wire, new Set(HERE), await openTab(wire), options)).page,
  };
}

interface OpenPage {
  page: Page;
  tab: Tab;
  /** Ends what the page does, and resolves with the origins that it came to on this machine. */
  leave(): Promise<Iterable<string>>;
}

async function openPage(wire: Wire, here: ReadonlySet<string>, tab: Tab, options: PageOptions): Promise<OpenPage> {
  const { targetId, browserContextId } = tab;
  const { sessionId } = await wire.send("Target.attachToTarget", { targetId, flatten: true });
  if (typeof sessionId !== "string") throw new Error("Chromium opened no page");
  const send = (method: string, params?: Message) => wire.send(method, params, sessionId);
  const asked: string[] = [];
  const complaints: string[] = [];
  const documents = new Documents();
  const held = new HeldRequests();
  const origins = new Set<string>();
  const known = { here, asked, held, origins };
  let isLeft = false;
  wire.listen(sessionId, (method, params) => {
    documents.heard(method, params);
    if (method === "Fetch.requestPaused") answerRequest(send, params, known, options).catch(unlessGone);
    // What is not saved is asked about.
    if (method === "Page.javascriptDialogOpening" && isLeft) void send("Page.handleJavaScriptDialog", { accept: true });
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
  const open: Page["open"] = async (url, awaited = "loaded") => {
    const { loaderId } = await send("Page.navigate", { url });
    await documents.until(String(loaderId), awaited);
  };
  const page: Page = {
    asked,
    complaints,
    evaluate,
    until,
    untilFramed: (selector, text) => untilFramed({ wire, send }, selector, text),
    open,
    ...handOf(send, evaluate),
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
      // Or parts that another page fetched before would be there.
      await send("Network.setCacheDisabled", { cacheDisabled: offline });
    },
    async cookie(cookie) {
      await send("Network.setCookie", { ...cookie, httpOnly: true, sameSite: "Strict" });
    },
    async forget() {
      await send("Network.clearBrowserCookies");
    },
  };
  const leave = async () => {
    isLeft = true;
    await page.cutOff(false);
    await open(EMPTY);
    await wire.send("Target.detachFromTarget", { sessionId });
    return origins;
  };
  return { page, tab, leave };
}

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

/** Where a page that was left waits: on the same site, so that its renderer stays. */
const EMPTY = "http://localhost/empty";
/** Or the browser asks that site for an icon, and the tab's next page is told that there is none. */
const EMPTY_HTML = '<link rel="icon" href="data:,">';

interface Known {
  here: ReadonlySet<string>;
  asked: string[];
  held: HeldRequests;
  origins: Set<string>;
}

async function answerRequest(send: Send, params: Message, known: Known, { answer }: PageOptions): Promise<void> {
  const { here, asked, held, origins } = known;
  const { requestId, request } = params;
  const { method, url } = Object(request);
  const { hostname, origin } = new URL(url);
  if (url === EMPTY) return fulfill(send, requestId, EMPTY_HTML);
  if (here.has(hostname)) {
    origins.add(origin);
    await held.until(method, url);
    return void (await send("Fetch.continueRequest", { requestId }));
  }
  asked.push(url);
  const html = answer?.(url);
  if (html === null) return;
  if (html === undefined) return void (await send("Fetch.failRequest", { requestId, errorReason: "NameNotResolved" }));
  await fulfill(send, requestId, html);
}

async function fulfill(send: Send, requestId: unknown, html: string): Promise<void> {
  const responseHeaders = [{ name: "content-type", value: "text/html" }];
  const body = Buffer.from(html).toString("base64");
  await send("Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders, body });
}

/** A page that is left, or closed, takes its requests with it: there is nothing left to answer. */
function unlessGone({ message }: Error): void {
  if (!/^(Invalid InterceptionId|Session with given id not found)/.test(message)) throw new Error(message);
}

/**
 * What the browser recommends, as a field for a user's name beside an API key, is no fault of a page. And a test types
 * sooner than a person, before the browser has put the cursor anywhere.
 */
const isHint = (entry: unknown): boolean => {
  const { source, text } = Object(entry);
  return source === "recommendation" || String(text).startsWith("Autofocus processing was blocked");
};
