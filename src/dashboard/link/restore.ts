import type { Link, LinkChanges } from "../links/queries";

/** What a change may set, of what a version had. The address of a link never changes, and its password is not kept. */
const RESTORED = [
  ...(["title", "defaultUrl", "rules", "splitTargets", "deepLinkPayload", "utm", "marketing", "leadCapture"] as const),
  ...([
    "retargetingPixels",
    "ctaOverlay",
    "startsAt",
    "expiresAt",
    "maxClicks",
    "tags",
    "expiredUrl",
    "social",
  ] as const),
  ...(["externalId", "notes", "isArchived", "isActive", "appProfileId"] as const),
] satisfies (keyof LinkChanges)[];

/** Only what differs from now; what the version did not have is taken away. */
export function restoreChanges(link: Link, snapshot: Readonly<Record<string, unknown>>): LinkChanges {
  const now: Record<string, unknown> = { ...link };
  const changed = RESTORED.filter((field) => JSON.stringify(now[field]) !== JSON.stringify(snapshot[field]));
  return Object.fromEntries(changed.map((field) => [field, snapshot[field] ?? null]));
}
