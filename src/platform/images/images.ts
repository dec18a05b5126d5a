/**
 * Icons: PNG, 256 pixels square, made of strangers' images or drawn of a name. An image is decoded in a process of its own
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
const SAID_MAX = 300;

/** Accepts JPEG, PNG, WebP, GIF, AVIF or SVG up to 16 million pixels, and uses the first frame. Throws `ImageError`. */
export async function iconOf(image: Uint8Array, decodeMs = DECODE_MS): Promise<Uint8Array> {
  const child = Bun.spawn([process.execPath, "--no-env-file", entryPath("iconProcess")], {
    stdin: image,
    stdout: "pipe",
    stderr: "pipe",
    env: {},
    timeout: decodeMs,
    killSignal: "SIGKILL",
    maxBuffer: ICON_BYTES_MAX,
  });
  const [icon, said, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0 && icon.length > 0) return icon;
  throw new ImageError(child.signalCode ? "It took too much time or memory" : said.trim().slice(-SAID_MAX));
}

/** The name's initial on the colour, or on a default where that is no `#rgb` or `#rrggbb`. */
export async function drawnIcon(name: string, accent: string | undefined): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  const drawing = drawInitial(initialOf(name), accentOf(accent));
  return sharp(Buffer.from(drawing)).png({ compressionLevel: 9 }).toBuffer();
}
