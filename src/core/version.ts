/** Follows a version that is only known to be the lowest one possible. */
export const OR_LATER = "+";

/**
 * Compares versions segment by segment, as numbers; missing segments are 0. Returns null if `version` does not begin
 * with a number (`Vista`), which makes it unknown. Anything after the numbers (`-beta`, `_1`, `+`) is ignored. Walks the
 * text instead of splitting it, because it runs on every visit to a link with a rule on versions.
 */
export function compareVersions(version: string, bound: string): number | null {
  if (!isDigit(version.charCodeAt(0))) return null;
  let at = 0;
  let boundAt = 0;
  while (at < version.length || boundAt < bound.length) {
    const end = segmentEnd(version, at);
    const boundEnd = segmentEnd(bound, boundAt);
    const difference = numberIn(version, at, end) - numberIn(bound, boundAt, boundEnd);
    if (difference !== 0) return Math.sign(difference);
    at = nextSegment(version, end);
    boundAt = nextSegment(bound, boundEnd);
  }
  return 0;
}

function numberIn(version: string, from: number, end: number): number {
  let number = 0;
  for (let at = from; at < end; at++) number = number * 10 + (version.charCodeAt(at) - ZERO);
  return number;
}

function segmentEnd(version: string, from: number): number {
  let end = from;
  while (isDigit(version.charCodeAt(end))) end++;
  return end;
}

/** Returns where the next segment starts: it needs a dot and a digit, otherwise the version ends here. */
function nextSegment(version: string, end: number): number {
  return version[end] === "." && isDigit(version.charCodeAt(end + 1)) ? end + 1 : version.length;
}

/** Also false for NaN, which `charCodeAt` returns past the end. */
function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

const ZERO = 48;
const NINE = 57;
