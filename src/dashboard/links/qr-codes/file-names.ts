/** Unique file names that are valid on every system, including Windows. */

/** Code points; even with suffix and extension, safely below the limit of 255 bytes. */
const LENGTH_MAX = 60;
/**
 * Everything but letters, digits and signs that no system interprets. This includes signs that change the writing
 * direction.
 */
const UNSAFE = /[^\p{L}\p{M}\p{N}._-]+/gu;

/** Returns a function that names the file of a short URL after its host and path. */
export function fileNames(extension: string): (shortUrl: string) => string {
  const taken = new Set<string>();
  return (shortUrl) => {
    const stem = stemOf(shortUrl);
    let name = stem;
    // Windows and macOS ignore case.
    for (let number = 2; taken.has(foldedName(name)); number++) name = `${stem}-${number}`;
    taken.add(foldedName(name));
    return `${name}.${extension}`;
  };
}

function stemOf(shortUrl: string): string {
  const address = decoded(shortUrl.replace(/^[a-z]+:\/\//i, "")).normalize("NFC");
  const safe = address.replace(UNSAFE, "-").replace(/^[.-]+|[.-]+$/g, "");
  const stem = [...safe]
    .slice(0, LENGTH_MAX)
    .join("")
    .replace(/[.-]+$/, "");
  return stem || "code";
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

const foldedName = (name: string): string => name.toLowerCase().normalize("NFC");
