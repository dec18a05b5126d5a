/** What literals in a dump mean: strings with MySQL's escapes, numbers, and bytes in hexadecimal digits. */
const ESCAPED = /\\([\s\S])|''|""/g;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ "0": "\0", b: "\b", n: "\n", r: "\r", t: "\t", Z: "\u001a" },
  // They stay escaped outside of patterns.
  ...{ "%": "\\%", _: "\\_" },
};
const INTRODUCER = /^_\w*\s*/;
const HEX = /^(?:0x([\da-f]*)|x'([\da-f]*)')$/i;
const BITS = /^b'([01]{1,32})'$/i;
const NOTHING = /^(?:NULL|DEFAULT)$/i;
const BYTE_DIGITS = 2;

/** Returns null for NULL. */
export function literalOf(introduced: string): string | null {
  const written = introduced.replace(INTRODUCER, "");
  const first = written[0];
  if (first === "'") return textOf(written.slice(1, -1), "'");
  if (first === '"') return textOf(written.slice(1, -1), '"');
  const [, plain, quoted = plain] = HEX.exec(written) ?? [];
  if (quoted !== undefined) return textOfBytes(quoted);
  const [, bits] = BITS.exec(written) ?? [];
  if (bits !== undefined) return String(Number.parseInt(bits, 2));
  if (/^n'/i.test(written)) return textOf(written.slice(2, -1), "'");
  return NOTHING.test(written) ? null : written;
}

function textOf(inner: string, quote: string): string {
  if (!inner.includes("\\") && !inner.includes(quote)) return inner;
  return inner.replace(ESCAPED, (pair, escaped: string | undefined) => {
    if (escaped !== undefined) return ESCAPES[escaped] ?? escaped;
    return pair[0] === quote ? quote : pair;
  });
}

/** Tools write text as bytes if its column compares by bytes. They are in the column's encoding, which is not said. */
function textOfBytes(digits: string): string {
  const pairs = digits.length % BYTE_DIGITS === 0 ? digits : `0${digits}`;
  const bytes = Uint8Array.fromHex(pairs);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
