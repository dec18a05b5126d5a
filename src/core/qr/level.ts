import { QR_LEVELS, type QrFormat, type QrLevel } from "@/contract/links/qr";

/**
 * Returns the error correction levels in the order in which they are tried: the best for the purpose first, then
 * those that need less room. A PNG starts at M, because a screen damages nothing; SVG and PDF start at Q, because
 * prints get folded and scratched. With a logo only H remains, which compensates for the covered modules.
 */
export function levelsFor(format: QrFormat, hasLogo: boolean): QrLevel[] {
  if (hasLogo) return ["H"];
  return QR_LEVELS.slice(0, QR_LEVELS.indexOf(format === "png" ? "M" : "Q") + 1).reverse();
}
