/**
 * A real browser for tests: the system's Chromium, controlled through the DevTools protocol. It reaches only this
 * machine; for every other host the test provides the response, or there is none.
 */
import { afterAll, afterEach } from "bun:test";
import { BROWSER } from "../servers/system-program";
import { BROWSER_FLAGS, launchChromium } from "./chromium";
import { Documents } from "./documents";
import { untilFramed } from "./frames";
import { type Hand, handOf, type Send } from "./hand";
import { type Held, HeldRequests } from "./held";
import { openTab, ownBrowser, type Tab } from "./own-browser";
import { untilTrue } from "./watch";
import type { Message, Wire } from "./wire";

/** A person's user agent: the default one of a headless browser counts as a bot's. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

export interface Look {
  /** Window size in CSS pixels. */
  width?: number;
  height?: number;
  isDark?: boolean;
  /** Replaces the page's colors by a few of the system's, as Windows' contrast themes do. */
  hasForcedColors?: boolean;
  /** Renders the page as for a printer. */
  isPrinted?: boolean;
  /**
   * Lets the page move, as it does for people who have not asked for less motion. Default: false, because drawing what
   * moves takes almost half of the processor time in which a screen loads.
   */
  hasMotion?: boolean;
}

export interface PageOptions extends Look {
  userAgent?: string;
  /** Default: true. */
  hasJavaScript?: boolean;
  headers?: Record<string, string>;
  /** A script that runs in each document before those of the document. */
  begin?: string;
  /**
   * Returns the HTML that a host other than this machine responds with; undefined: no such host; null: no response.
   */
  answer?(url: string): string | null | undefined;
}

export interface Page extends Hand {
  /** Resolves once the page and its resources are loaded, or, for `read`, once the document is parsed. */
  open(url: string, until?: "loaded" | "read"): Promise<void>;
  /** Evaluates the expression in the page's own world, even if the page's JavaScript is disabled. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Resolves once the expression is truthy. Rejects if it is not within 60 s. */
  until(expression: string): Promise<void>;
  /** Resolves once the frame, which may be without scripts, shows a matching text. Rejects after 60 s. */
  untilFramed(selector: string, text: RegExp): Promise<void>;
  /** URLs requested from hosts other than this machine, in order. */
  asked: string[];
  /** Errors that the browser reported: script errors, and log entries such as policy violations. */
  complaints: string[];
  /** Changes the window size, color scheme and medium of the open page. */
  look(look: Look): Promise<void>;
  /** Takes a screenshot, as a PNG. */
  picture(): Promise<Buffer>;
  /** Holds back the next request with this method whose URL contains `part`. */
  hold(method: string, part: string): Held;
  /** Lets all such requests fail, as if the service could not be reached, until the returned function is called. */
  refuse(method: string, part: string): () => void;
  /** Cuts the page off from all hosts and from its HTTP cache, or reconnects it. */
  cutOff(isCut: boolean): Promise<void>;
  /** Sets an HTTP-only cookie. */
  cookie(cookie: { name: string; value: string; url: string }): Promise<void>;
  /** Deletes all cookies, so that the page acts for a new visitor from now on. */
  forget(): Promise<void>;
}

export interface Browser {
  /**
   * Opens a page that shares nothing with other pages. Closes after the test, because an open page keeps rendering.
   */
  page(options?: PageOptions): Promise<Page>;
  /** Opens a page for all tests of a file. */
  lastingPage(options?: PageOptions): Promise<Page>;
}

export interface BrowserOptions {
  /** Host names that lead to this machine, besides `localhost` and `127.0.0.1`. */
  hosts?: readonly string[];
}

/** Returns the browser of this process for use by the tests of a file. Starts it if necessary. */
export async function startBrowser({ hosts = [] }: BrowserOptions = {}): Promise<Browser> {
  const { wire, takeTab, recycleTab, drop } = await ownBrowser();
  const here = new Set([...HERE, ...hosts]);
  const open = async (opened: OpenPage[], options: PageOptions) => {
    const one = await openPage(wire, here, await takeTab(), options);
    opened.push(one);
    return one.page;
  };
  const leaveAll = async (opened: OpenPage[]) => {
    for (const { tab, leave } of opened.splice(0)) {
      const origins = await leave().catch(() => undefined);
      // A tab whose page cannot be left, for example because it crashed, cannot be reused.
      await (origins ? recycleTab(tab, origins) : drop(tab));
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

/** Launches a browser outside of tests. The caller closes it. Its pages share nothing. */
export async function launchBrowser(): Promise<Pick<Browser, "page"> & { close(): Promise<void> }> {
  const { wire, close } = await launchChromium(BROWSER, BROWSER_FLAGS);
  return {
    close,
    page: async (options = {}) =>
      (await openPage(wire, new Set(HERE), await openTab(wire), { hasMotion: true, ...options })).page,
  };
}

interface OpenPage {
  page: Page;
  tab: Tab;
  /** Navigates to an empty page and resolves to the origins on this machine that the page had requested. */
  leave(): Promise<Iterable<string>>;
}

async function openPage(wire: Wire, here: ReadonlySet<string>, tab: Tab, options: PageOptions): Promise<OpenPage> {
  const { targetId, browserContextId } = tab;
  const { hasJavaScript = true } = options;
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
    if (method === "Page.javascriptDialogOpening") {
      // Until the browser's question is answered, such as whether to leave unsaved changes, the page does nothing else.
      send("Page.handleJavaScriptDialog", { accept: true }).catch(unlessGone);
      if (!isLeft) complaints.push(`The browser asked: ${params.message || params.type}`);
    }
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
  const open: Page["open"] = async (url, awaited = "loaded") => {
    const { loaderId, errorText } = await send("Page.navigate", { url });
    // No document follows: the response has none, or another navigation came first.
    if (errorText === ABORTED) throw new Error(`${url} was not opened: ${errorText}`);
    // Without a loader, only the fragment has changed.
    if (loaderId !== undefined) await documents.until(String(loaderId), awaited, wire.untilEnd(sessionId));
  };
  const page: Page = {
    asked,
    complaints,
    evaluate,
    until: (expression) => untilTrue({ evaluate, hasJavaScript }, expression),
    untilFramed: (selector, text) => untilFramed({ wire, send }, selector, text),
    open,
    ...handOf(send, evaluate),
    look: (look) => show(send, look),
    async picture() {
      const { data } = await send("Page.captureScreenshot", { format: "png" });
      return Buffer.from(String(data), "base64");
    },
    hold: (method, part) => held.next(method, part),
    refuse: (method, part) => held.refuse(method, part),
    async cutOff(offline) {
      await send("Network.enable");
      const endless = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
      await send("Network.emulateNetworkConditions", { offline, ...endless });
      // Otherwise the cache would still hold files that other pages fetched.
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
    // If the test has timed out, these say what it was waiting for.
    for (const command of wire.unanswered(sessionId))
      if (!command.startsWith("Fetch.")) console.error(`Unanswered: ${command}`);
    await page.cutOff(false);
    await open(EMPTY);
    await wire.send("Target.detachFromTarget", { sessionId });
    return origins;
  };
  return { page, tab, leave };
}

async function prepare(wire: Wire, send: Send, browserContextId: unknown, options: PageOptions): Promise<void> {
  const { userAgent = USER_AGENT, hasJavaScript = true, headers, begin } = options;
  const permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
  await Promise.all([
    wire.send("Browser.grantPermissions", { permissions, browserContextId }),
    send("Page.enable"),
    send("Inspector.enable"),
    send("Runtime.enable"),
    send("Log.enable"),
    send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }),
    show(send, options),
    send("Emulation.setFocusEmulationEnabled", { enabled: true }),
    send("Emulation.setScriptExecutionDisabled", { value: !hasJavaScript }),
    send("Emulation.setUserAgentOverride", { userAgent }),
    ...(begin ? [send("Page.addScriptToEvaluateOnNewDocument", { source: begin })] : []),
    ...(headers ? [send("Network.enable"), send("Network.setExtraHTTPHeaders", { headers })] : []),
  ]);
}

async function show(
  send: Send,
  { width = 1_024, height = 768, isDark = false, hasForcedColors = false, isPrinted = false, hasMotion = false }: Look,
): Promise<void> {
  const features = [
    { name: "prefers-color-scheme", value: isDark ? "dark" : "light" },
    { name: "prefers-reduced-motion", value: hasMotion ? "no-preference" : "reduce" },
    { name: "forced-colors", value: hasForcedColors ? "active" : "none" },
  ];
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  await send("Emulation.setEmulatedMedia", { media: isPrinted ? "print" : "", features });
}

const ABORTED = "net::ERR_ABORTED";
const HERE = ["localhost", "127.0.0.1"];

/**
 * The page that a tab shows between tests. It is on the service's site, so that the tab keeps its renderer process.
 */
const EMPTY = "http://localhost/empty";
/**
 * Has an icon, because otherwise the browser requests one and remembers for the tab's next page that there is none.
 */
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
    const fate = await held.fateOf(method, url);
    if (fate === "released") return void (await send("Fetch.continueRequest", { requestId }));
    return void (await send("Fetch.failRequest", { requestId, errorReason: "ConnectionRefused" }));
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

/** Ignores errors about requests that ended because their page was left or closed; throws other errors. */
function unlessGone({ message }: Error): void {
  if (!/^(Invalid InterceptionId|Session with given id not found)/.test(message)) throw new Error(message);
}

/**
 * True for log entries that are no fault of the page: recommendations, such as a user name field next to an API key,
 * and blocked autofocus, which occurs because a test types before the browser has set the focus.
 */
const isHint = (entry: unknown): boolean => {
  const { source, text } = Object(entry);
  return source === "recommendation" || String(text).startsWith("Autofocus processing was blocked");
};
