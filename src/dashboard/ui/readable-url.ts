const READABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]*$/u;

/** An address as people read it: without its scheme, and with the letters that it escapes. */
export function readableUrl(url: string): string {
  const bare = url.replace(/^https?:\/\//, "");
  try {
    const read = decodeURI(bare);
    return READABLE.test(read) ? read : bare;
  } catch {
    return bare;
  }
}
