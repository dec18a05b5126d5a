const READABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]*$/u;

/** Returns the URL with its percent-encoding decoded, if all decoded characters are visible: for people, not to be opened. */
export function decodedUrl(url: string): string {
  try {
    const read = decodeURI(url);
    return READABLE.test(read) ? read : url;
  } catch {
    return url;
  }
}

/** Returns the decoded URL without its scheme. */
export const readableUrl = (url: string): string => decodedUrl(url.replace(/^https?:\/\//, ""));
