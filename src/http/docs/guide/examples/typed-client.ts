import { treaty } from "@elysiajs/eden";
import type { App } from "waymark";

/** Creates a link and returns its short URL. */
export async function shorten(origin: string, token: string, orgId: string, defaultUrl: string): Promise<string> {
  const waymark = treaty<App>(origin, { headers: { authorization: `Bearer ${token}` } });
  const { data, error } = await waymark.api.v1.organizations({ orgId }).links.post({ defaultUrl });
  if (error) throw new Error(`${error.status}: ${JSON.stringify(error.value)}`);
  return data.shortUrl;
}
