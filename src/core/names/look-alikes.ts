/**
 * Detects slugs that look alike although they are spelled with different letters: `paypa1`, `раураl` in Cyrillic,
 * `PAYPAI`.
 */
import { LOOK_ALIKES } from "./look-alikes-table";

/** Built when the first slug is compared. */
let known: Map<string, string> | undefined;

/**
 * Returns a key shared by all slugs that look alike (the skeleton of UTS #39). `key` is that of a slug or of a whole
 * path.
 */
export function lookAlikeKey(key: string): string {
  known ??= readTable();
  const targets = known;
  return [...key.normalize("NFD")]
    .map((letter) => targets.get(letter) ?? letter)
    .join("")
    .normalize("NFD");
}

function readTable(): Map<string, string> {
  const targets = new Map<string, string>();
  for (const group of LOOK_ALIKES.trim().split(/\s+/)) {
    const [target = "", letters = ""] = group.split(":");
    for (const letter of letters.split(",")) targets.set(charactersOf(letter), charactersOf(target));
  }
  return targets;
}

function charactersOf(codes: string): string {
  return String.fromCodePoint(...codes.split(".").map((code) => Number.parseInt(code, 36)));
}
