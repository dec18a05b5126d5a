import { darkRuns, type QrDrawing } from "./qr-drawing";

/** Draws all modules as one path, and embeds the logo in the file. */
export function drawSvg(drawing: QrDrawing): string {
  const { title, side, width, dark, light, logo } = drawing;
  const path = Array.from(darkRuns(drawing), ({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join("");
  const image =
    logo &&
    `<image x="${logo.start}" y="${logo.start}" width="${logo.length}" height="${logo.length}" href="data:image/png;base64,${Buffer.from(logo.png).toString("base64")}"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${side} ${side}" role="img">`,
    `<title>${Bun.escapeHTML(title)}</title>`,
    `<rect width="${side}" height="${side}" fill="${light}"/>`,
    `<path d="${path}" fill="${dark}" shape-rendering="crispEdges"/>`,
    ...(image ? [image] : []),
    "</svg>",
    "",
  ].join("\n");
}
