/** Where to go from what was computed: its ids name what it speaks of. */
import { words } from "../words";
import type { Asked } from "./asked";
import type { Found } from "./computed-card";

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
export const linkIn = (id: string): string | undefined => UUID.exec(id)?.[0];

/** Within a link's own figures it leads nowhere new. */
export const toLink = (linkId: string | null | undefined, asked: Asked): Found["link"] =>
  linkId && linkId !== asked.linkId ? { to: `/links/${linkId}`, text: words.computed.toLink } : undefined;

export function toCountry(id: string): Found["link"] {
  const [, country] = /^opportunity:country:([A-Z]{2})$/.exec(id) ?? [];
  return country ? { to: `/analytics?country=${country}`, text: words.computed.toCountry } : undefined;
}

/** An anomaly is named by its series and when it began. */
export function toDay(id: string): Found["link"] {
  const [, day] = /:(\d{4}-\d{2}-\d{2})T/.exec(id) ?? [];
  const linkId = linkIn(id);
  const link = linkId ? `&linkId=${linkId}` : "";
  return day ? { to: `/analytics?from=${day}&to=${day}${link}`, text: words.computed.toDay } : undefined;
}
