/**
 * Turns the image on its standard input into an icon, or into the image of a card, on its standard output. A process of its
 * own, started by `images.ts`: decoders are handed bytes of strangers, and whatever those do to one, it ends with the process.
 */
import { constants, setPriority } from "node:os";
import sharp, { type Sharp } from "sharp";

/** The longer side, in pixels. */
const SIDES = { icon: 256, card: 1200 };
const CARD_QUALITY = 80;
const PIXELS_MAX = 4096 * 4096;
/** Dots per inch at which a drawing has the size that it states. */
const DENSITY = 72;
const DENSITY_MAX = 7_200;

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer",
    "VipsForeignLoadHeifBuffer",
    "VipsForeignLoadSvgBuffer",
  ],
});

const form = process.argv.at(-1) === "card" ? "card" : "icon";
const SIDE = SIDES[form];

setPriority(constants.priority.PRIORITY_LOW);
try {
  const image = await open(new Uint8Array(await Bun.stdin.arrayBuffer()));
  await Bun.write(Bun.stdout, await (form === "card" ? drawCard(image) : draw(image)));
} catch (error) {
  // What it was is told to who started us, in a line.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Fits the whole image into the square on a transparent background. */
function draw(image: Sharp): Promise<Buffer> {
  return image
    .autoOrient()
    .resize(SIDE, SIDE, { fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** The whole image in its own shape, on white, at most as large as it is. */
function drawCard(image: Sharp): Promise<Buffer> {
  return image
    .autoOrient()
    .resize(SIDE, SIDE, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: CARD_QUALITY })
    .toBuffer();
}

/** The first frame; a drawing at about the size that is wanted. */
async function open(bytes: Uint8Array): Promise<Sharp> {
  const options = { limitInputPixels: PIXELS_MAX, failOn: "error", pages: 1 } as const;
  const { format, width, height } = await sharp(bytes, options).metadata();
  if (format !== "svg") return sharp(bytes, options);
  const density = Math.min(DENSITY_MAX, Math.max(1, (DENSITY * SIDE) / Math.max(1, width, height)));
  return sharp(bytes, { ...options, density });
}
