/**
 * Reads QR codes with a reader that is not ours: jsQR, on the pixels as sharp decodes them. A PDF is first drawn by
 * Chromium, which the tests need anyway.
 */
import { join } from "node:path";
import jsQR from "jsqr";
import sharp from "sharp";
import { CHROMIUM } from "../servers/system-program";
import { type Message, startChromium } from "./chromium";

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
  const { wire, folder } = await startChromium(CHROMIUM, [`--window-size=${WINDOW},${WINDOW}`]);
  const { targetInfos } = await wire.send("Target.getTargets");
  const target = Object(targetInfos).find(({ type }: { type: string }) => type === "page");
  if (!target) throw new Error("Chromium has no page");
  const { sessionId } = await wire.send("Target.attachToTarget", { targetId: target.targetId, flatten: true });
  let files = 0;

  return {
    async read(pdf) {
      const path = join(folder, `${++files}.pdf`);
      await Bun.write(path, pdf);
      await wire.send("Page.navigate", { url: `file://${path}#toolbar=0&navpanes=0&view=Fit` }, String(sessionId));
      // The viewer draws in its own time, and what was seen before says no more the second time.
      let seen: unknown;
      for (const end = Date.now() + TRIES_MS; Date.now() < end; await Bun.sleep(BETWEEN_MS)) {
        const drawn = wire.send("Page.captureScreenshot", { format: "png" }, String(sessionId));
        const { data } = await drawn.catch(nothingUnlessBetween);
        if (typeof data !== "string" || data === seen) continue;
        seen = data;
        const said = await readPicture(Buffer.from(data, "base64"));
        if (said !== undefined) return said;
      }
      return undefined;
    },
  };
}

/** Between two documents there is nothing to draw. */
function nothingUnlessBetween({ message }: Error): Message {
  if (message === "Not attached to an active page") return {};
  throw new Error(message);
}
