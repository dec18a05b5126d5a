import { withNumbers } from "@/core/rules/rule-numbers";
import type { Link, LinkChanges } from "../links/queries";

/**
 * Fields of a version that can be restored. A link's address never changes, and versions do not include its password.
 */
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

/** Returns the fields that differ from the current link; fields that the version did not have are removed. */
export function restoreChanges(link: Link, snapshot: Readonly<Record<string, unknown>>): LinkChanges {
  const now: Record<string, unknown> = { ...link, rules: withNumbers(link.rules) };
  const changed = RESTORED.filter((field) => JSON.stringify(now[field]) !== JSON.stringify(snapshot[field]));
  return Object.fromEntries(changed.map((field) => [field, snapshot[field] ?? null]));
}
