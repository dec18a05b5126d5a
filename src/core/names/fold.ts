const ASCII = /^[\0-\x7f]*$/;
export const isAscii = (text: string): boolean => ASCII.test(text);

/**
 * Returns the form in which names and slugs are compared: NFC and case-insensitive. Converts to upper before lower
 * case, so that `ς` equals `σ` and `ß` equals `SS`, and to lower case before that, because `ẞ` is its own upper case.
 * Ends with NFC, because changing case may compose characters differently.
 */
export function foldName(name: string): string {
  if (isAscii(name)) return name.toLowerCase();
  return name.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}
