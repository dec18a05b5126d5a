/** The fields of a link by the names that people know. */
import type { Link } from "../links/queries";
import { words } from "../words";

/** What is counted or decided by the service is nobody's change. */
const OWN = new Set(["_id", "orgId", "updatedAt", "createdAt", "clickCount", "clicksBefore", "safety", "shortUrl"]);

const hasName = (field: string): field is keyof typeof words.link.fields => Object.hasOwn(words.link.fields, field);

export const nameOfField = (field: string): string => (hasName(field) ? words.link.fields[field] : field);

export function namesOfChanges(before: Link, now: Link): string[] {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((field) => !OWN.has(field) && JSON.stringify(was.get(field)) !== JSON.stringify(is.get(field)))
    .map(nameOfField);
}
