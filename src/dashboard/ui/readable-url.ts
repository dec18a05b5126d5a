const READABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]*$/u;

/** Returns the URL without its scheme and with its percent-encoding decoded, if all decoded characters are visible. */
export function readableUrl(url: string): string {
  const bare = url.replace(/^https?:\/\//, "");
  try {
    const read = decodeURI(bare);
    return READABLE.test(read) ? read : bare;
  } catch {
    return bare;
  }
}
