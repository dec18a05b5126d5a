/**
 * Reads QR codes with a reader that is not ours: jsQR, on the pixels as sharp decodes them. A PDF is first drawn by
 * Chromium, which the tests need anyway.
 */
import { afterAll } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import jsQR from "jsqr";
import sharp from "sharp";
import { CHROMIUM, findProgram } from "../servers/system-program";

/** Pixels that a code is seen at, one after the other, as by a camera that comes closer. */
const SEEN = [256, 400, 640, 1_000];

/** What the first code on the picture says; undefined where none is found. Inverted codes are not looked for. */
export async function readPicture(picture: Uint8Array): Promise<string | undefined> {
  for (const seen of SEEN) {
    const said = await readAt(picture, seen);
    if (said !== undefined) return said;
  }
  return undefined;
}

async function readAt(picture: Uint8Array, seen: number): Promise<string | undefined> {
  const { width } = await sharp(picture).metadata();
  const pixels = sharp(picture).resize(seen, undefined, { kernel: seen > width ? "nearest" : "lanczos3" });
  const { data, info } = await pixels.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const found = jsQR(new Uint8ClampedArray(data), info.width, info.height, { inversionAttempts: "dontInvert" });
  return found?.data;
}

/** Of a `data:` URL, with its type. */
export function dataOf(url: string): { type: string; bytes: Buffer } {
  const [, type, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (type === undefined || base64 === undefined) throw new Error(`No data URL: ${url.slice(0, 60)}`);
  return { type, bytes: Buffer.from(base64, "base64") };
}

const TRIES_MS = 60_000;
const BETWEEN_MS = 100;
const WINDOW = 1_000;

export interface PdfReader {
  /** What the code on the page says; undefined when none is found in time. */
  read(pdf: Uint8Array): Promise<string | undefined>;
}

/** A Chromium that ends with the test file that started it. */
export async function startPdfReader(): Promise<PdfReader> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-qr-"));
  const flags = [
    ...["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking"],
    ...[`--user-data-dir=${folder}/profile`, `--window-size=${WINDOW},${WINDOW}`, "--remote-debugging-port=0"],
  ];
  const browser = Bun.spawn([findProgram(CHROMIUM), ...flags, "about:blank"], { stdout: "ignore", stderr: "pipe" });
  afterAll(async () => {
    browser.kill();
    await browser.exited;
    await rm(folder, { recursive: true, force: true });
  });
  const page = await pageOf(await originOf(browser.stderr));
  let files = 0;

  return {
    async read(pdf) {
      const path = join(folder, `${++files}.pdf`);
      await Bun.write(path, pdf);
      await page("Page.navigate", { url: `file://${path}#toolbar=0&navpanes=0&view=Fit` });
      // The viewer draws in its own time, and what was seen before says no more the second time.
      let seen: unknown;
      for (const end = Date.now() + TRIES_MS; Date.now() < end; await Bun.sleep(BETWEEN_MS)) {
        const { data } = await page("Page.captureScreenshot", { format: "png" });
        if (typeof data !== "string" || data === seen) continue;
        seen = data;
        const said = await readPicture(Buffer.from(data, "base64"));
        if (said !== undefined) return said;
      }
      return undefined;
    },
  };
}

/** Where the browser listens, as it says on its standard error. */
async function originOf(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let said = "";
  for await (const chunk of stderr) {
    said += new TextDecoder().decode(chunk);
    const [, host] = /ws:\/\/([^/\s]+)\/\S+\s/.exec(said) ?? [];
    if (host) return `http://${host}`;
  }
  throw new Error(`Chromium did not start: ${said}`);
}

type Command = (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Commands of the DevTools protocol to the browser's page. */
async function pageOf(origin: string): Promise<Command> {
  const targets = (await (await fetch(`${origin}/json`)).json()) as { type: string; webSocketDebuggerUrl: string }[];
  const target = targets.find(({ type }) => type === "page");
  if (!target) throw new Error("Chromium has no page");
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result ?? {});
    waiting.delete(id);
  };
  await new Promise((open, failed) => {
    socket.onopen = open;
    socket.onerror = failed;
  });
  let commands = 0;
  return (method, params) =>
    new Promise((answered) => {
      const id = ++commands;
      waiting.set(id, answered);
      socket.send(JSON.stringify({ id, method, params }));
    });
}
