/** Paths of the dashboard, and which of them a sign-in may end at. */
export const APP_PATH = "/app";

const LENGTH_MAX = 1_000;
const CONTROL = /[\0-\x20\x7f-\x9f]/;
/** Only resolves what is relative. */
const ANY_ORIGIN = "https://dashboard.invalid";

/**
 * A path of the dashboard as it may stand in an address, and nothing that any reader of URLs could take for a host, a
 * scheme or a path of somebody else's on the same host. Undefined for whatever is not that.
 */
export function appPath(text: string): string | undefined {
  if (!text.startsWith("/") || text.includes("//") || CONTROL.test(text) || /[\\#]/.test(text)) return undefined;
  const url = URL.parse(ANY_ORIGIN + text);
  if (!url || url.origin !== ANY_ORIGIN || url.pathname.includes("//")) return undefined;
  if (url.pathname !== APP_PATH && !url.pathname.startsWith(`${APP_PATH}/`)) return undefined;
  // As the parser writes it: what is not ASCII is escaped, which headers and cookies need.
  const path = url.pathname + url.search;
  return path.length <= LENGTH_MAX ? path : undefined;
}
