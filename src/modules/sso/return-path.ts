/**
 * Where in the dashboard a sign-in ends: a path from its root, and nothing that any reader of URLs could take for a host
 * or a scheme. Undefined for whatever is not that.
 */
const LENGTH_MAX = 1_000;
const CONTROL = /[\0-\x20\x7f-\x9f]/;

export function returnPath(text: string, dashboardUrl: string): string | undefined {
  if (!text.startsWith("/") || text.includes("//") || CONTROL.test(text) || /[\\#]/.test(text)) return undefined;
  const url = URL.parse(dashboardUrl + text);
  if (!url || url.origin !== new URL(dashboardUrl).origin || url.pathname.includes("//")) return undefined;
  // As the parser writes it: what is not ASCII is escaped, which the header and the cookie need.
  const path = url.pathname + url.search;
  return path.length <= LENGTH_MAX ? path : undefined;
}
