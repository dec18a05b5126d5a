import { QR_LEVELS, type QrFormat, type QrLevel } from "@/contract/links/qr";

/**
 * Error corrections in the order in which they are tried: the best for the purpose, then what takes less room. A screen
 * spoils nothing, so that a PNG has M; SVG and PDF are printed, folded and scratched: Q. What a logo covers, H makes good;
 * less would not do.
 */
export function levelsFor(format: QrFormat, hasLogo: boolean): QrLevel[] {
  if (hasLogo) return ["H"];
  return QR_LEVELS.slice(0, QR_LEVELS.indexOf(format === "png" ? "M" : "Q") + 1).reverse();
}
