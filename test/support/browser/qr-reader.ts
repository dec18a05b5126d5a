/**
 * Reads QR codes with an independent reader: jsQR, on pixels that sharp decodes. Chromium, which the tests need
 * anyway, renders PDFs first.
 */
import { join } from "node:path";
import jsQR from "jsqr";
import sharp from "sharp";
import { CHROMIUM } from "../servers/system-program";
import { startChromium } from "./chromium";
import { inTime, TRIES_MS } from "./in-time";
import type { Message } from "./wire";

/** Widths in pixels at which to look for a code, in turn, like a camera that moves closer. */
const SEEN = [256, 400, 640, 1_000];

/**
 * Returns the text of the first code in the picture, or undefined if there is none. Does not look for inverted codes.
 */
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

/** Returns the media type and bytes of a base64 `data:` URL. */
export function dataOf(url: string): { type: string; bytes: Buffer } {
  const [, type, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (type === undefined || base64 === undefined) throw new Error(`No data URL: ${url.slice(0, 60)}`);
  return { type, bytes: Buffer.from(base64, "base64") };
}

const BETWEEN_MS = 100;
/** Between two documents, Chromium may never draw what is to be captured. */
const DRAWN_MS_MAX = 10_000;
const WINDOW = 1_000;

export interface PdfReader {
  /** Returns the text of the code on the page, or undefined if none is found within 60 s. */
  read(pdf: Uint8Array): Promise<string | undefined>;
}

/** Starts a Chromium for reading PDFs. It closes after the test file. */
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
      // The viewer renders asynchronously. An unchanged screenshot needs no second look.
      let seen: unknown;
      for (const end = Date.now() + TRIES_MS; Date.now() < end; await Bun.sleep(BETWEEN_MS)) {
        const drawn = wire.send("Page.captureScreenshot", { format: "png" }, String(sessionId));
        const { data } = await inTime(drawn, DRAWN_MS_MAX, NOT_DRAWN).catch(nothingUnlessBetween);
        if (typeof data !== "string" || data === seen) continue;
        seen = data;
        const said = await readPicture(Buffer.from(data, "base64"));
        if (said !== undefined) return said;
      }
      return undefined;
    },
  };
}

const NOT_DRAWN = "The page was not drawn";

/** Returns nothing if the page is between two documents, where there is nothing to capture; throws other errors. */
function nothingUnlessBetween({ message }: Error): Message {
  if (message === "Not attached to an active page" || message === NOT_DRAWN) return {};
  throw new Error(message);
}
