const ASCII = /^[\0-\x7f]*$/;

/**
 * The form in which names and slugs are compared: NFC, without regard to case. Upper before lower case, so that `ς` and
 * `σ`, `ß` and `SS` are one; NFC once more, since changing case may compose differently.
 */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  return name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}
