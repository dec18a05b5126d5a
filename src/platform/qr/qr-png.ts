import type { QrDrawing } from "./qr-drawing";

/** Logos come from `iconOf`; nothing larger is decoded in this process. */
const LOGO_PIXELS_MAX = 256 * 256;
const CHANNELS = 3;

/**
 * Gives each module as many whole pixels as fit, so that edges are sharp; the remainder widens the quiet zone.
 * Requires a width of at least one pixel per module.
 */
export async function drawPng(drawing: QrDrawing): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  const { side, width, light, logo } = drawing;
  const scale = Math.floor(width / side);
  const [before, after] = [Math.floor, Math.ceil].map((rounded) => rounded((width - scale * side) / 2));
  const raw = { width: side, height: side, channels: CHANNELS } as const;
  const picture = sharp(modulesOf(drawing), { raw })
    .resize(scale * side, scale * side, { kernel: "nearest" })
    .extend({ top: before, left: before, bottom: after, right: after, background: light });
  if (logo) {
    const length = Math.max(1, Math.floor(logo.length * scale));
    const input = await sharp(logo.png, { limitInputPixels: LOGO_PIXELS_MAX, failOn: "error" })
      .resize(length, length)
      .png()
      .toBuffer();
    const at = (before ?? 0) + Math.round((scale * side - length) / 2);
    picture.composite([{ input, left: at, top: at }]);
  }
  return picture.removeAlpha().png({ compressionLevel: 9 }).toBuffer();
}

/** Returns RGB bytes, one pixel per module. */
function modulesOf({ side, isDark, dark, light }: QrDrawing): Uint8Array {
  const [ink, ground] = [dark, light].map((colour) => Buffer.from(colour.slice(1), "hex"));
  const pixels = Buffer.alloc(side * side * CHANNELS, ground);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) if (isDark(x, y)) pixels.set(ink ?? [], (y * side + x) * CHANNELS);
  }
  return pixels;
}
