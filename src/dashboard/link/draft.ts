/** A link's settings as form fields, and the changes that they result in. */
import type { Link, LinkChanges } from "../links/queries";

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
  maxClicks: string;
  /** A new password; the current one is never shown. */
  password: string;
  removesPassword: boolean;
  utm: typeof BLANK_UTM;
}

export const draftOf = (link: Link): Draft => ({
  title: link.title ?? "",
  tags: link.tags.join(", "),
  notes: link.notes ?? "",
  externalId: link.externalId ?? "",
  startsAt: localTime(link.startsAt),
  expiresAt: localTime(link.expiresAt),
  expiredUrl: link.expiredUrl ?? "",
  maxClicks: link.maxClicks === undefined ? "" : String(link.maxClicks),
  password: "",
  removesPassword: false,
  utm: { ...BLANK_UTM, ...link.utm },
});

/** Returns only what differs. An empty field removes its value. */
export function changesOf(saved: Draft, draft: Draft, tagsOf: (text: string) => string[]): LinkChanges {
  const changes: LinkChanges = {};
  for (const name of ["title", "notes", "externalId", "expiredUrl"] as const) {
    if (draft[name] !== saved[name]) changes[name] = draft[name].trim() || null;
  }
  for (const name of ["startsAt", "expiresAt"] as const) {
    if (draft[name] !== saved[name]) changes[name] = draft[name] ? new Date(draft[name]).toISOString() : null;
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

/** Formats an instant in the browser's time zone, as `2026-01-31T12:00`. */
function localTime(instant: string | undefined): string {
  if (!instant) return "";
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
