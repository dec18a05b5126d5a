/** Links from computed findings to their subjects, which are part of the findings' ids. */
import { words } from "../words";
import type { Asked } from "./asked";
import type { Found } from "./computed-card";

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
export const linkIn = (id: string): string | undefined => UUID.exec(id)?.[0];

/** Returns undefined on the link's own figures, where it would lead nowhere new. */
export const toLink = (linkId: string | null | undefined, asked: Asked): Found["link"] =>
  linkId && linkId !== asked.linkId ? { to: `/links/${linkId}`, text: words.computed.toLink } : undefined;

export function toCountry(id: string): Found["link"] {
  const [, country] = /^opportunity:country:([A-Z]{2})$/.exec(id) ?? [];
  return country ? { to: `/analytics?country=${country}`, text: words.computed.toCountry } : undefined;
}

/** The id of an anomaly contains its series and its start. */
export function toDay(id: string): Found["link"] {
  const [, day] = /:(\d{4}-\d{2}-\d{2})T/.exec(id) ?? [];
  const linkId = linkIn(id);
  const link = linkId ? `&linkId=${linkId}` : "";
  return day ? { to: `/analytics?from=${day}&to=${day}${link}`, text: words.computed.toDay } : undefined;
}
