/** Names of files that every system takes, Windows too, each once. */

/** With what is appended, safely below the 255 bytes that a name may have. */
const LENGTH_MAX = 60;
/** Letters, digits and what no system reads anything into. Signs that turn the direction of writing are none of them. */
const UNSAFE = /[^\p{L}\p{M}\p{N}._-]+/gu;

/** Returns a function that names the file of one short URL after its host and its path. */
export function fileNames(extension: string): (shortUrl: string) => string {
  const taken = new Set<string>();
  return (shortUrl) => {
    const stem = stemOf(shortUrl);
    let name = stem;
    // Windows and macOS do not tell letters' cases apart.
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
