/** Runs the system's Chromium as a process, and connects to it through the DevTools protocol. */
import { afterAll } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, type SystemProgram } from "../servers/system-program";

const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking"],
  // These features take a tenth of its time and are of no use to tests.
  ...["--disable-extensions", "--disable-component-update", "--disable-sync", "--disable-default-apps"],
  "--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication",
  // Tests use pages one after the other, and a renderer process for each page costs more than the page itself.
  "--renderer-process-limit=1",
];

/** Resolves hosts under `.test` to this machine, and no others. */
const HOSTS = "MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]";
export const BROWSER_FLAGS = ["--no-first-run", "--mute-audio", `--host-resolver-rules=${HOSTS}`];

export type Message = Record<string, unknown>;

export interface Wire {
  send(method: string, params?: Message, sessionId?: string): Promise<Message>;
  /** Calls the listener for each event of the session's page. A session has one listener. */
  listen(sessionId: string, listener: (method: string, params: Message) => void): void;
}

export interface Chromium {
  wire: Wire;
  /** The browser's own folder, which is removed when it closes. */
  folder: string;
}

/** Launches a Chromium that closes after the test file. */
export async function startChromium(program: SystemProgram, flags: string[]): Promise<Chromium> {
  const { wire, folder, close } = await launchChromium(program, flags);
  afterAll(close);
  return { wire, folder };
}

/** Launches a Chromium that runs until `close` is called. Its process leads a process group. */
export async function launchChromium(
  program: SystemProgram,
  flags: string[],
): Promise<Chromium & { pid: number; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-browser-"));
  const own = [...FLAGS, `--user-data-dir=${folder}/profile`, "--remote-debugging-port=0", ...flags];
  const command = [findProgram(program), ...own, "about:blank"];
  const browser = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe", detached: true });
  const wire = await connect(await socketOf(browser.stderr));
  const close = async () => {
    // Not a signal: the program may be a wrapper script, which would end and leave the browser running.
    await wire.send("Browser.close");
    await browser.exited;
    await rm(folder, { recursive: true, force: true });
  };
  return { wire, folder, pid: browser.pid, close };
}

/** Returns the WebSocket URL that the browser prints to standard error. */
async function socketOf(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let said = "";
  for await (const chunk of stderr) {
    said += new TextDecoder().decode(chunk);
    const [, url] = /(ws:\/\/\S+)\s/.exec(said) ?? [];
    if (url) return url;
  }
  throw new Error(`Chromium did not start: ${said}`);
}

async function connect(url: string): Promise<Wire> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithResolvers<Message>>();
  const listeners = new Map<string, (method: string, params: Message) => void>();
  let commands = 0;
  socket.onmessage = ({ data }) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(String(data));
    if (method) return listeners.get(sessionId)?.(method, params);
    if (error) waiting.get(id)?.reject(new Error(error.message));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  };
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  socket.onopen = () => resolve();
  socket.onerror = () => reject(new Error("Chromium cannot be reached"));
  await opened;
  return {
    listen: (sessionId, listener) => listeners.set(sessionId, listener),
    send(method, params = {}, sessionId) {
      const answered = Promise.withResolvers<Message>();
      const id = ++commands;
      waiting.set(id, answered);
      socket.send(JSON.stringify({ id, method, params, sessionId }));
      return answered.promise;
    },
  };
}
