/**
 * Icons: PNG, 256 pixels square, made of strangers' images or drawn of a name; and images of cards: JPEG. A stranger's image is decoded in a process of its own
 * that has nothing of the environment and is killed after `DECODE_MS`: neither a slow drawing nor a decoder's fault
 * reaches the server. How many are decoded at once is for the caller to bound.
 */
import { entryPath } from "../own-files";
import { accentOf, drawInitial, initialOf } from "./initial";

/** The bytes are no image that can be turned into an icon, or not in time. */
export class ImageError extends Error {
  override name = "ImageError";
}

const DECODE_MS = 4_000;
/** No PNG of that size is larger. */
const ICON_BYTES_MAX = 512 * 1024;
/** Some networks take no image that is much larger. */
const CARD_BYTES_MAX = 1024 * 1024;
const SAID_MAX = 300;

/** Accepts JPEG, PNG, WebP, GIF, AVIF or SVG up to 16 million pixels, and uses the first frame. Throws `ImageError`. */
export const iconOf = (image: Uint8Array, decodeMs = DECODE_MS): Promise<Uint8Array> =>
  made("icon", image, ICON_BYTES_MAX, decodeMs);

/** As `iconOf`, but a JPEG of the whole image. */
export const cardImageOf = (image: Uint8Array): Promise<Uint8Array> => made("card", image, CARD_BYTES_MAX, DECODE_MS);

async function made(form: "icon" | "card", image: Uint8Array, maxBuffer: number, timeout: number): Promise<Uint8Array> {
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
