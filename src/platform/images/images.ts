/**
 * Icons: PNG, 256 pixels square, made of strangers' images or drawn of a name; and images of cards: JPEG. A stranger's image is decoded in a process of its own
 * that has nothing of the environment. It ends itself after 4 s of a core, and is killed after `DECODE_MS`, which is long, since
 * it stands back for others on a busy machine: neither a slow drawing nor a decoder's fault reaches the server. How many are decoded at once is for the caller to bound.
 */
import type { PageImageForm } from "@/contract/public";
import { entryPath } from "../own-files";
import { accentOf, drawInitial, initialOf } from "./initial";

/** The bytes are no image that can be turned into an icon, or not in time. */
export class ImageError extends Error {
  override name = "ImageError";
}

const DECODE_MS = 20_000;
/** No PNG of that size is larger. */
const ICON_BYTES_MAX = 512 * 1024;
/** Some networks take no image that is much larger. */
const CARD_BYTES_MAX = 1024 * 1024;
const SAID_MAX = 300;

/** Accepts JPEG, PNG, WebP, GIF, AVIF or SVG up to 16 million pixels, and uses the first frame. Throws `ImageError`. */
export const iconOf = (image: Uint8Array, decodeMs = DECODE_MS): Promise<Uint8Array> =>
  made("icon", image, ICON_BYTES_MAX, decodeMs);

/** As `iconOf`, but WebP of some kilobytes that fills the form. */
export const pageImageOf = (form: PageImageForm, image: Uint8Array): Promise<Uint8Array> =>
  made(form, image, CARD_BYTES_MAX, DECODE_MS);

/** As `iconOf`, but a JPEG of the whole image. */
export const cardImageOf = (image: Uint8Array): Promise<Uint8Array> => made("card", image, CARD_BYTES_MAX, DECODE_MS);

async function made(
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
  throw new ImageError(child.signalCode ? "It took too much time or memory" : said.trim().slice(-SAID_MAX));
}

/** The name's initial on the colour, or on a default where that is no `#rgb` or `#rrggbb`. */
export async function drawnIcon(name: string, accent: string | undefined): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  const drawing = drawInitial(initialOf(name), accentOf(accent));
  return sharp(Buffer.from(drawing)).png({ compressionLevel: 9 }).toBuffer();
}

export interface SmallIcon {
  /** In pixels. */
  side: number;
  /** WebP is smaller; browsers show PNG beside the page's title as well. */
  type: "image/png" | "image/webp";
  bytesMax: number;
}

/** From better to smaller, each for every share of the side. */
const SIDE_SHARES = [1, 0.7, 0.45];
const COLOURS = [256, 64, 24];
const QUALITIES = [80, 60, 35];

/** An icon as pages show it, of at most `bytesMax` where so few bytes can hold it. It is one that was made here. */
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
