/**
 * Turns the image on standard input into an icon, or into the image of a card or a page, on standard output.
 * `images.ts` runs this as a separate process: decoders are given untrusted bytes, and whatever those do to a decoder
 * ends with the process.
 */
import { getPriority, setPriority } from "node:os";
import sharp, { type Sharp } from "sharp";

/** Length of the longer side, in pixels. */
const SIDES = { icon: 256, card: 1200 };
/** Images on pages: their size in pixels, and how many bytes a page can afford for each. */
const PAGES = {
  preview: { width: 640, height: 336, bytesMax: 10_000 },
  avatar: { width: 192, height: 192, bytesMax: 4_500 },
  cover: { width: 960, height: 320, bytesMax: 8_500 },
  thumb: { width: 96, height: 96, bytesMax: 2_000 },
  tile: { width: 640, height: 320, bytesMax: 9_000 },
};
/** Tried in turn, from the best quality to the smallest file. If none fits, the image itself is made smaller. */
const QUALITIES = [72, 56, 40, 26, 14];
const TIMES_HALVED_MAX = 4;
const CARD_QUALITY = 80;
const PIXELS_MAX = 4096 * 4096;
/** Dots per inch at which a drawing has the size that it states. */
const DENSITY = 72;
const DENSITY_MAX = 7_200;
/**
 * A third of the share of a process that answers requests. With the lowest priority, this one would stand still on a
 * machine that is full, and be ended before it could do anything.
 */
const NICE = 5;
/** Milliseconds of CPU time. */
const CPU_MS_MAX = 4_000;
const LOOK_EVERY_MS = 100;

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

const FORMS = { icon: draw, card: drawCard, ...pageForms() };
const form = Object.keys(FORMS).find((name): name is keyof typeof FORMS => name === process.argv.at(-1)) ?? "icon";
const SIDE = form === "icon" ? SIDES.icon : SIDES.card;

setPriority(Math.max(getPriority(), NICE));
setInterval(endIfLong, LOOK_EVERY_MS).unref();
try {
  const image = await open(new Uint8Array(await Bun.stdin.arrayBuffer()));
  await Bun.write(Bun.stdout, await FORMS[form](image));
} catch (error) {
  // Reports the failure to the process that started this one, in one line.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * Ends this process if it has used too much CPU time. Decoders run in threads of their own, so this one can keep
 * checking.
 */
function endIfLong(): void {
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1_000 > CPU_MS_MAX) process.kill(process.pid, "SIGKILL");
}

/** Fits the whole image into the square on a transparent background. */
function draw(image: Sharp): Promise<Buffer> {
  return image
    .autoOrient()
    .resize(SIDE, SIDE, { fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** Keeps the whole image in its own shape, on white, and does not enlarge it. */
function drawCard(image: Sharp): Promise<Buffer> {
  return image
    .autoOrient()
    .resize(SIDE, SIDE, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: CARD_QUALITY })
    .toBuffer();
}

function pageForms() {
  const of = (name: keyof typeof PAGES) => (image: Sharp) => drawForPage(image, PAGES[name]);
  return { preview: of("preview"), avatar: of("avatar"), cover: of("cover"), thumb: of("thumb"), tile: of("tile") };
}

/**
 * Fills the whole shape, on white, with as much of the image as it has room for. Lowers the quality and then the size
 * until the file has at most `bytesMax`; the last and smallest attempt is returned even if it does not.
 */
async function drawForPage(
  image: Sharp,
  { width, height, bytesMax }: (typeof PAGES)[keyof typeof PAGES],
): Promise<Buffer> {
  const whole = image.autoOrient().flatten({ background: "#ffffff" });
  for (let halved = 0; ; halved++) {
    const size = [width, height].map((side) => Math.round(side / 2 ** halved));
    const { data, info } = await whole
      .clone()
      .resize(size[0], size[1], { fit: "cover" })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width: columns, height: rows, channels } = info;
    for (const quality of QUALITIES) {
      const made = await sharp(data, { raw: { width: columns, height: rows, channels } })
        .webp({ quality })
        .toBuffer();
      if (made.length <= bytesMax || (halved === TIMES_HALVED_MAX && quality === QUALITIES.at(-1))) return made;
    }
  }
}

/** Opens the first frame. A drawing is rendered at about the size that is needed. */
async function open(bytes: Uint8Array): Promise<Sharp> {
  const options = { limitInputPixels: PIXELS_MAX, failOn: "error", pages: 1 } as const;
  const { format, width, height } = await sharp(bytes, options).metadata();
  if (format !== "svg") return sharp(bytes, options);
  const density = Math.min(DENSITY_MAX, Math.max(1, (DENSITY * SIDE) / Math.max(1, width, height)));
  return sharp(bytes, { ...options, density });
}
