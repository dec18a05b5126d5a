/** Names of a link's fields, as people know them. */
import type { Link } from "../links/queries";
import { linkWords as words } from "./words";

/** Fields that the service counts or decides; they never count as someone's change. */
const OWN = new Set([
  ...["_id", "orgId", "etag", "createdAt", "updatedAt", "clickCount", "clicksBefore", "safety", "shortUrl", "blockers"],
]);

const hasName = (field: string): field is keyof typeof words.link.fields => Object.hasOwn(words.link.fields, field);

export const nameOfField = (field: string): string => (hasName(field) ? words.link.fields[field] : field);

export const namesOfChanges = (before: Link, now: Link): string[] => changedFields(before, now).map(nameOfField);

/** Switches outside the forms, which can be used while a form is being edited. */
const SWITCHES = ["isActive", "isArchived"];

/** True if the link was only paused, resumed, archived or unarchived. */
export function isSwitchedAlone(before: Link, now: Link): boolean {
  const changed = changedFields(before, now);
  return changed.length > 0 && changed.every((field) => SWITCHES.includes(field));
}

function changedFields(before: Link, now: Link): string[] {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    (field) => !OWN.has(field) && JSON.stringify(was.get(field)) !== JSON.stringify(is.get(field)),
  );
}
