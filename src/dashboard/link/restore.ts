import { withNumbers } from "@/core/rules/rule-numbers";
import { ApiFailure, faultsOf } from "../api/failures";
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

/** Fields that may name what is gone (404) or what another link has since taken (409). */
const LOSABLE: readonly string[] = ["appProfileId", "externalId"] satisfies (keyof LinkChanges)[];

/**
 * Saves the changes, without the fields whose values can no longer be had, and returns the names of these. Rejects as
 * `save` does if nothing else would change.
 */
export async function saveWhatCanBe(
  changes: LinkChanges,
  save: (changes: LinkChanges) => Promise<unknown>,
): Promise<string[]> {
  try {
    await save(changes);
    return [];
  } catch (error) {
    const lost = lostFields(error).filter((field) => field in changes);
    const left = Object.entries(changes).filter(([field]) => !lost.includes(field));
    if (lost.length === 0 || left.length === 0) throw error;
    return [...lost, ...(await saveWhatCanBe(Object.fromEntries(left), save))];
  }
}

const lostFields = (error: unknown): string[] =>
  error instanceof ApiFailure && (error.status === 404 || error.status === 409)
    ? Object.keys(faultsOf(error)).filter((field) => LOSABLE.includes(field))
    : [];
