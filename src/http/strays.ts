/**
 * Fields that a schema does not list where dropping them unseen would change what is meant: a condition that was dropped is
 * a rule for everyone. An object marked `namesKept: "all"` has each refused; one marked `"near"` those alone that look like
 * a field of its own, or of such an object within it, in the wrong place.
 */
import type { TSchema } from "@sinclair/typebox";
import { meantOf } from "@/core/codes/meant";

export function strayFaults(schema: TSchema, value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = withoutNull(schema);
  if (Array.isArray(value)) {
    return own.items ? value.flatMap((item, index) => strayFaults(own.items, item, `${path}[${index}]`)) : [];
  }
  const properties: Record<string, TSchema> = own.properties ?? {};
  const place = (name: string) => (path === "" ? name : `${path}.${name}`);
  return Object.entries(value).flatMap(([name, inner]) => {
    if (Object.hasOwn(properties, name)) return strayFaults(properties[name] ?? own, inner, place(name));
    const fault = strayFault(own, name);
    return fault === undefined ? [] : [`${place(name)}: ${fault}`];
  });
}

function strayFault({ namesKept, properties }: TSchema, name: string): string | undefined {
  if (namesKept === undefined) return undefined;
  const listed = Object.keys(properties);
  const meant = meantOf(name, listed) ?? meantWithin(properties, name);
  if (meant) return `there is no such field; did you mean ${meant}?`;
  return namesKept === "all" ? `there is no such field; expected one of ${listed.join(", ")}` : undefined;
}

/** A field that belongs one level deeper: `platform` beside `conditions`. */
function meantWithin(properties: Record<string, TSchema>, name: string): string | undefined {
  for (const [inner, { namesKept, properties: within }] of Object.entries(properties)) {
    const meant = namesKept === "all" ? meantOf(name, Object.keys(within)) : undefined;
    if (meant) return `${inner}.${meant}`;
  }
  return undefined;
}

/** What a value that may be null is otherwise. */
const withoutNull = (schema: TSchema): TSchema =>
  (schema.anyOf ?? []).find((branch: TSchema) => branch.type !== "null") ?? schema;
