/**
 * Finds unlisted fields where silently dropping them would change the meaning: a rule without its condition would
 * match everyone. In an object marked `namesKept: "all"`, every unlisted field is rejected. In one marked `"near"`,
 * only those are rejected that resemble one of its own fields, or a field of a nested object marked `"all"` and so
 * are in the wrong place.
 */
import type { TSchema } from "@sinclair/typebox";
import { closestName } from "@/core/codes/meant";

/** Maximum number of faults that are looked for. */
const FAULTS_MAX = 50;

export const unknownFieldFaults = (schema: TSchema, value: unknown): string[] => [
  ...strayFields(schema, value, "").take(FAULTS_MAX),
];

function* strayFields(schema: TSchema, value: unknown, path: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const own = schemaOfPresent(schema);
  if (Array.isArray(value)) {
    if (own.items)
      for (const [index, item] of value.entries()) yield* strayFields(own.items, item, `${path}[${index}]`);
    return;
  }
  const properties: Record<string, TSchema> = own.properties ?? {};
  const place = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const [name, inner] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) {
      yield* strayFields(properties[name] ?? own, inner, place(name));
      continue;
    }
    const fault = strayFault(own, name);
    if (fault !== undefined) yield `${place(name)}: ${fault}`;
  }
}

function strayFault({ namesKept, properties }: TSchema, name: string): string | undefined {
  if (namesKept === undefined) return undefined;
  const listed = Object.keys(properties);
  const meant = closestName(name, listed) ?? meantWithin(properties, name);
  if (meant) return `there is no such field; did you mean ${meant}?`;
  return namesKept === "all" ? `there is no such field; expected one of ${listed.join(", ")}` : undefined;
}

/** Finds a field that belongs one level deeper, such as `platform` next to `conditions`. */
function meantWithin(properties: Record<string, TSchema>, name: string): string | undefined {
  for (const [inner, { namesKept, properties: within }] of Object.entries(properties)) {
    const meant = namesKept === "all" ? closestName(name, Object.keys(within)) : undefined;
    if (meant) return `${inner}.${meant}`;
  }
  return undefined;
}

/** Returns the schema of a nullable value without its null. */
export const schemaOfPresent = (schema: TSchema): TSchema =>
  (schema.anyOf ?? []).find((branch: TSchema) => branch.type !== "null") ?? schema;
