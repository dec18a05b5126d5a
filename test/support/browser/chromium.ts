/** Runs the system's Chromium as a process, and connects to it through the DevTools protocol. */
import { afterAll } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, type SystemProgram } from "../servers/system-program";
import { connectWire, type Wire } from "./wire";

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
  const wire = await connectWire(await socketOf(browser.stderr));
  const close = async () => {
    // Not a signal: the program may be a wrapper script, which would end and leave the browser running.
    // It may end before it has responded.
    await wire.send("Browser.close").catch(() => undefined);
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
