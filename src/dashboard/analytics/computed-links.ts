/** Links from computed findings to their subjects, which are part of the findings' ids. */
import { analyticsWords as words } from "./words";

/** What the screen shows, as far as the links to its figures depend on it. */
interface Shown {
  /** Set on the figures of one link. */
  linkId: string | undefined;
  filters: { linkId?: string[] };
  /** The parameters of its URL. */
  view: { get(name: string): string | null };
}

export interface SubjectLink {
  to: string;
  text: string;
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
export const linkIn = (id: string): string | undefined => UUID.exec(id)?.[0];

/** Returns the link to compute for. Computed analytics support a range and one link, but no other filters. */
export const computedLink = ({ linkId, filters }: Omit<Shown, "view">): string | undefined =>
  linkId ?? (filters.linkId?.length === 1 ? filters.linkId[0] : undefined);

/** Parameters that apply to findings, too. */
const KEPT = ["range", "from", "to", "bots"];

/** Returns the path of the figures that a finding was computed from, with these parameters set. */
export function toFigures(shown: Shown, set: Record<string, string>): string {
  const { linkId, view } = shown;
  const kept = Object.fromEntries(KEPT.map((name) => [name, view.get(name) ?? ""]));
  const all = Object.entries({ linkId: computedLink(shown) ?? "", ...kept, ...set });
  const query = new URLSearchParams(all.filter(([name, value]) => value && !(linkId && name === "linkId")));
  return `${linkId ? `/links/${linkId}/figures` : "/analytics"}?${query}`;
}

/** Returns undefined on the link's own figures, where it would lead nowhere new. */
export const toLink = (linkId: string | null | undefined, shown: Pick<Shown, "linkId">): SubjectLink | undefined =>
  linkId && linkId !== shown.linkId ? { to: `/links/${linkId}`, text: words.analytics.computed.toLink } : undefined;

/** The id contains the domain's host. Returns undefined if the organization no longer has it. */
export function toDomain(id: string, domains: readonly { _id: string; hostname: string }[]): SubjectLink | undefined {
  const [, host] = /^unverified_domain:(.+)$/.exec(id) ?? [];
  const domain = domains.find(({ hostname }) => hostname === host);
  return domain && { to: `/domains/${domain._id}`, text: words.analytics.computed.toDomain };
}

export function toCountry(id: string, shown: Shown): SubjectLink | undefined {
  const [, country] = /^opportunity:country:([A-Z]{2})$/.exec(id) ?? [];
  return country ? { to: toFigures(shown, { country }), text: words.analytics.computed.toCountry } : undefined;
}

/** The id of an anomaly contains its series and its start. */
export function toDay(id: string, shown: Shown): SubjectLink | undefined {
  const [, day] = /:(\d{4}-\d{2}-\d{2})T/.exec(id) ?? [];
  if (!day) return undefined;
  const linkId = linkIn(id);
  const set = { range: "", from: day, to: day, ...(linkId && { linkId }) };
  return { to: toFigures(shown, set), text: words.analytics.computed.toDay };
}
