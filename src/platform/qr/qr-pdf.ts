import { darkRuns, type QrDrawing } from "./qr-drawing";

/** An inch is 96 pixels and 72 points, as in CSS. */
const POINTS_PER_PIXEL = 72 / 96;

/**
 * Draws one page of the picture's size, from paths. It is always dated 1970, so that the same drawing gives the same
 * file.
 */
export async function drawPdf(drawing: QrDrawing): Promise<Uint8Array> {
  const { default: PDFDocument } = await import("pdfkit");
  const { title, side, width, dark, light, logo } = drawing;
  const points = width * POINTS_PER_PIXEL;
  const info = { Title: title, CreationDate: new Date(0) };
  // No text is drawn; without an empty name the document would load a font.
  const pdf = new PDFDocument({ size: [points, points], margin: 0, info, font: "" });
  const written = Array.fromAsync<Uint8Array>(pdf);
  pdf.rect(0, 0, points, points).fill(light);
  pdf.scale(points / side);
  for (const { x, y, length } of darkRuns(drawing)) pdf.rect(x, y, length, 1);
  pdf.fill(dark);
  if (logo) pdf.image(Buffer.from(logo.png), logo.start, logo.start, { width: logo.length, height: logo.length });
  pdf.end();
  return Buffer.concat(await written);
}
