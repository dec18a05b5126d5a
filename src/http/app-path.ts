/** The dashboard's base path, and the paths to which a sign-in may return. */
export const APP_PATH = "/app";

const LENGTH_MAX = 1_000;
const CONTROL = /[\0-\x20\x7f-\x9f]/;
/** Used only as a base for relative URLs. */
const ANY_ORIGIN = "https://dashboard.invalid";

/**
 * Returns the text as a normalized dashboard path that is safe in a URL. Returns undefined for anything else,
 * including whatever a URL parser could take for a host, a scheme or a path outside the dashboard.
 */
export function appPath(text: string): string | undefined {
  if (!text.startsWith("/") || text.includes("//") || CONTROL.test(text) || /[\\#]/.test(text)) return undefined;
  const url = URL.parse(ANY_ORIGIN + text);
  if (!url || url.origin !== ANY_ORIGIN || url.pathname.includes("//")) return undefined;
  if (url.pathname !== APP_PATH && !url.pathname.startsWith(`${APP_PATH}/`)) return undefined;
  // The parser percent-encodes everything that is not ASCII, as headers and cookies require.
  const path = url.pathname + url.search;
  return path.length <= LENGTH_MAX ? path : undefined;
}
