/**
 * Strangers' images in a separate process: what happens when one is slow, and what that process knows of the service.
 */
import { describe, expect, test } from "bun:test";
import { ImageError, iconOf } from "@/platform/images/images";

const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${content}</svg>`);

/** Nine levels, each of which draws the previous one ten times. */
function nested(): string {
  const levels = Array.from({ length: 9 }, (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`);
  return `<defs><g id="a0"><rect width="9" height="9"/></g>${levels.join("")}</defs><use href="#a9"/>`;
}

function noisy(times = 1): string {
  const steps = '<feTurbulence baseFrequency="0.5" numOctaves="999"/><feGaussianBlur stdDeviation="400"/>'.repeat(50);
  const drawn = '<rect width="99" height="99" filter="url(#f)"/>'.repeat(times);
  return `<filter id="f" x="0" y="0" width="1" height="1">${steps}</filter>${drawn}`;
}

describe("iconOf", () => {
  test.each([
    ["nested uses", nested()],
    ["costly filters", noisy()],
  ])("gives up on an SVG of %s, without blocking meanwhile", async (_, content) => {
    const icon = iconOf(svg(content), 500);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    await expect(icon).rejects.toThrow(new ImageError("Processing the image took too long or its result is too large"));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  test("gives up on an SVG that takes seconds of CPU time, however long its timeout is", async () => {
    await expect(iconOf(svg(noisy(100)), 600_000)).rejects.toThrow(
      new ImageError("Processing the image took too long or its result is too large"),
    );
  });

  test("reports an error in one line, without file paths", async () => {
    const error = await iconOf(Buffer.from("no image")).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ImageError);
    expect(error.message).toMatch(/^.+$/);
    expect(error.message).not.toContain("/");
  });
});
