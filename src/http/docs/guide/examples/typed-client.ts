import { treaty } from "@elysiajs/eden";
import type { App } from "waymark";

/**
 * Returns a client whose responses are what their types say. By default, Eden turns every text that looks like a date
 * into a `Date`: `createdAt`, but also a title such as `2026-01-31`.
 */
export const connect = (origin: string, token: string) =>
  treaty<App>(origin, { parseDate: false, headers: { authorization: `Bearer ${token}` } });

/** Creates a link and returns its short URL. */
export async function shorten(origin: string, token: string, orgId: string, defaultUrl: string): Promise<string> {
  const waymark = connect(origin, token);
  const { data, error } = await waymark.api.v1.organizations({ orgId }).links.post({ defaultUrl });
  if (error) throw new Error(`${error.status}: ${JSON.stringify(error.value)}`);
  return data.shortUrl;
}
