/**
 * Makes icons (PNG, 256 pixels square) from untrusted images or from a name, and images for cards (JPEG) and pages
 * (WebP). An untrusted image is decoded in a separate process with an empty environment. That process ends itself
 * after 4 s of CPU time, and is killed after `DECODE_MS`, which is long because the process has a low priority on a
 * busy machine. So neither a slow drawing nor a fault in a decoder reaches the server. Callers must bound how many
 * images are decoded at a time.
 */
import type { PageImageForm } from "@/contract/public";
import { entryPath } from "../own-files";
import { accentOf, drawInitial, initialOf } from "./initial";

/** The bytes cannot be turned into the image that was wanted, or not in time. */
export class ImageError extends Error {
  override name = "ImageError";
}

const DECODE_MS = 20_000;
/** No PNG of 256 by 256 pixels is larger. */
const ICON_BYTES_MAX = 512 * 1024;
/** Some networks reject images that are much larger. */
const CARD_BYTES_MAX = 1024 * 1024;
const SAID_MAX = 300;

/** Accepts JPEG, PNG, WebP, GIF, AVIF or SVG up to 16 million pixels, and uses the first frame. Throws `ImageError`. */
export const iconOf = (image: Uint8Array, decodeMs = DECODE_MS): Promise<Uint8Array> =>
  decodeImage("icon", image, ICON_BYTES_MAX, decodeMs);

/** As `iconOf`, but returns a WebP of a few kilobytes that fills the shape of `form`. */
export const pageImageOf = (form: PageImageForm, image: Uint8Array): Promise<Uint8Array> =>
  decodeImage(form, image, CARD_BYTES_MAX, DECODE_MS);

/** As `iconOf`, but returns a JPEG of the whole image. */
export const cardImageOf = (image: Uint8Array): Promise<Uint8Array> =>
  decodeImage("card", image, CARD_BYTES_MAX, DECODE_MS);

async function decodeImage(
  form: "icon" | "card" | PageImageForm,
  image: Uint8Array,
  maxBuffer: number,
  timeout: number,
): Promise<Uint8Array> {
  const child = Bun.spawn([process.execPath, "--no-env-file", entryPath("iconProcess"), form], {
    stdin: image,
    stdout: "pipe",
    stderr: "pipe",
    env: {},
    timeout,
    killSignal: "SIGKILL",
    maxBuffer,
  });
  const [bytes, said, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0 && bytes.length > 0) return bytes;
  throw new ImageError(
    child.signalCode ? "Processing the image took too long or its result is too large" : said.trim().slice(-SAID_MAX),
  );
}

/** Draws the name's initial on the color `accent`, or on a default if that is not `#rgb` or `#rrggbb`. */
export async function drawnIcon(name: string, accent: string | undefined): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  const drawing = drawInitial(initialOf(name), accentOf(accent));
  return sharp(Buffer.from(drawing)).png({ compressionLevel: 9 }).toBuffer();
}

export interface SmallIcon {
  /** In pixels. */
  side: number;
  /** WebP is smaller; PNG can also be the icon that browsers show beside the page's title. */
  type: "image/png" | "image/webp";
  bytesMax: number;
}

/**
 * Tried from the best quality to the smallest file: all steps of `COLOURS` or `QUALITIES` for each share of the side.
 */
const SIDE_SHARES = [1, 0.7, 0.45];
const COLOURS = [256, 64, 24];
const QUALITIES = [80, 60, 35];

/**
 * Returns an icon as pages show it, of at most `bytesMax` if it can be made that small. `icon` must have been made
 * here, because it is decoded in this process.
 */
export async function smallIconOf(icon: Uint8Array, { side, type, bytesMax }: SmallIcon): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  let made: Uint8Array = icon;
  for (const share of SIDE_SHARES) {
    const small = sharp(icon).resize(Math.round(side * share));
    for (const [step, colours] of COLOURS.entries()) {
      made = await (type === "image/png"
        ? small.clone().png({ palette: true, colours, compressionLevel: 9 })
        : small.clone().webp({ quality: QUALITIES[step] })
      ).toBuffer();
      if (made.length <= bytesMax) return made;
    }
  }
  return made;
}
