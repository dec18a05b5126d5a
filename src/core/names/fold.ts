const ASCII = /^[\0-\x7f]*$/;

/**
 * The form in which names and slugs are compared: NFC, without regard to case. Upper before lower case, so that `ς` and
 * `σ`, `ß` and `SS` are one, and lower case before that, since `ẞ` is its own upper case; NFC once more, since changing
 * case may compose differently.
 */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  return name.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}
