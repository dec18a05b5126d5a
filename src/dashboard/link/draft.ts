/** A link's settings as form fields, and the changes that they result in. */
import type { Link, LinkChanges } from "../links/queries";
import { textOfTags } from "../links/tags-text";
import { instantOf, localTime } from "./local-time";

const DATES = ["startsAt", "expiresAt"] as const;
const BLANK_UTM = { source: "", medium: "", campaign: "", term: "", content: "" };

export interface Draft {
  title: string;
  tags: string;
  notes: string;
  externalId: string;
  /** In the browser's time zone, in the format of a `datetime-local` field. */
  startsAt: string;
  expiresAt: string;
  expiredUrl: string;
  /** Empty for the app of the link's path or domain. */
  appProfileId: string;
  maxClicks: string;
  /** A new password; the current one is never shown. */
  password: string;
  removesPassword: boolean;
  utm: typeof BLANK_UTM;
}

export const draftOf = (link: Link): Draft => ({
  title: link.title ?? "",
  tags: textOfTags(link.tags),
  notes: link.notes ?? "",
  externalId: link.externalId ?? "",
  startsAt: localTime(link.startsAt ?? ""),
  expiresAt: localTime(link.expiresAt ?? ""),
  expiredUrl: link.expiredUrl ?? "",
  appProfileId: link.appProfileId ?? "",
  maxClicks: link.maxClicks === undefined ? "" : String(link.maxClicks),
  password: "",
  removesPassword: false,
  utm: { ...BLANK_UTM, ...link.utm },
});

/** The changed dates that the API would not accept. */
export const wrongDates = (saved: Draft, draft: Draft) =>
  DATES.filter((name) => draft[name] !== saved[name] && draft[name] !== "" && instantOf(draft[name]) === undefined);

/** Returns only what differs. An empty field removes its value. A wrong date counts as a change, but is not to be sent. */
export function changesOf(saved: Draft, draft: Draft, tagsOf: (text: string) => string[]): LinkChanges {
  const changes: LinkChanges = {};
  for (const name of ["title", "notes", "externalId", "expiredUrl", "appProfileId"] as const) {
    if (draft[name] !== saved[name]) changes[name] = draft[name].trim() || null;
  }
  for (const name of DATES) {
    if (draft[name] !== saved[name]) changes[name] = draft[name] ? (instantOf(draft[name]) ?? draft[name]) : null;
  }
  if (draft.tags !== saved.tags) changes.tags = tagsOf(draft.tags);
  if (draft.maxClicks !== saved.maxClicks) changes.maxClicks = draft.maxClicks.trim() ? Number(draft.maxClicks) : null;
  if (draft.password) changes.password = draft.password;
  else if (draft.removesPassword) changes.password = null;
  if (JSON.stringify(draft.utm) !== JSON.stringify(saved.utm)) {
    const utm = Object.fromEntries(Object.entries(draft.utm).filter(([, value]) => value.trim() !== ""));
    changes.utm = Object.keys(utm).length > 0 ? utm : null;
  }
  return changes;
}
