/**
 * Draws QR codes as PNG, SVG and PDF. All three are drawn from the same modules, so that they contain and show the
 * same; the same drawing gives the same bytes. Pictures are bounded by `QR_WIDTH`; callers must bound how many are
 * drawn at a time.
 */
import { QR_MARGIN, type QrFormat, type QrLevel } from "@/contract/links/qr";
import type { QrDrawing } from "./qr-drawing";
import { drawPdf } from "./qr-pdf";
import { drawPng } from "./qr-png";
import { drawSvg } from "./qr-svg";

export interface QrCode {
  level: QrLevel;
  /** Number of modules of a side, without the quiet zone. */
  size: number;
  isDark(x: number, y: number): boolean;
}

export interface QrLook extends Pick<QrDrawing, "title" | "dark" | "light" | "width"> {
  format: QrFormat;
  logo: Uint8Array | undefined;
}

/**
 * The share of a side that the logo's plate takes: 9 % of the area, well below the 20 % that is allowed. Level H
 * corrects about 30 % of the codewords, and a plate touches more codewords than it covers; the rest is a reserve for
 * damage to a print.
 */
const PLATE_SHARE = 0.3;
/** Modules between the plate's edge and the logo. */
const PLATE_MARGIN = 0.5;

/** Encodes the text at the first of these levels at which it fits into a code; undefined if it fits at none. */
export async function qrCodeOf(text: string, levels: readonly QrLevel[]): Promise<QrCode | undefined> {
  const bytes = new TextEncoder().encode(text);
  const level = levels.find((each) => bytes.length <= BYTES_MAX[each]);
  if (!level) return undefined;
  const { create } = await import("qrcode");
  const { modules } = create([{ data: bytes, mode: "byte" }], { errorCorrectionLevel: level });
  return { level, size: modules.size, isDark: (x, y) => modules.get(y, x) === 1 };
}

/** Bytes that version 40, the largest, can hold (ISO/IEC 18004, table 7). */
const BYTES_MAX: Record<QrLevel, number> = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 };

/** Returns the smallest width, in pixels, that gives each module a pixel. */
export const widthNeeded = ({ size }: QrCode): number => size + 2 * QR_MARGIN;

export function drawQr(code: QrCode, { format, logo, ...look }: QrLook): Promise<Uint8Array> {
  const side = widthNeeded(code);
  const symbol = { start: QR_MARGIN, length: code.size };
  const plate = logo && plateOf(code);
  const drawing: QrDrawing = {
    ...look,
    side,
    isDark: (x, y) =>
      isWithin(symbol, x, y) && !(plate && isWithin(plate, x, y)) && code.isDark(x - QR_MARGIN, y - QR_MARGIN),
    logo: logo && plate && { png: logo, start: plate.start + PLATE_MARGIN, length: plate.length - 2 * PLATE_MARGIN },
  };
  switch (format) {
    case "png":
      return drawPng(drawing);
    case "svg":
      return Promise.resolve(new TextEncoder().encode(drawSvg(drawing)));
    case "pdf":
      return drawPdf(drawing);
  }
}

interface Square {
  start: number;
  length: number;
}

/**
 * Places the plate in the middle. A code has an odd number of modules per side, so only an odd plate can be centered
 * exactly.
 */
function plateOf({ size }: QrCode): Square {
  const length = 2 * Math.floor((size * PLATE_SHARE - 1) / 2) + 1;
  return { start: QR_MARGIN + (size - length) / 2, length };
}

const isWithin = ({ start, length }: Square, x: number, y: number): boolean =>
  [x, y].every((at) => at >= start && at < start + length);
