/**
 * Builds examples of whole bodies from those of their fields. A schema's own example is used as it is; an object gets
 * its required fields and the optional ones that have their own example.
 */
import type { Schema } from "./types";

const REF = "#/components/schemas/";

/** `gaps` are the paths of fields without an example, which need `examples` in the contract. */
export type Example = { value: unknown } | { gaps: string[] };

export function exampleOf(schema: Schema, components: Record<string, Schema>): Example {
  const value = makeValue(schema, components);
  const gaps = gapsIn(value, "");
  return gaps.length > 0 ? { gaps } : { value };
}

const NOTHING = Symbol("no example");

function makeValue(schema: Schema, components: Record<string, Schema>): unknown {
  const known = ownExample(schema, components);
  if (known !== NOTHING) return known;
  const target = referred(schema, components);
  const [first] = target.anyOf ?? [];
  if (first) return makeValue(first, components);
  const type = Array.isArray(target.type) ? target.type[0] : target.type;
  if (type === "boolean") return true;
  if (type === "array") return target.items ? [makeValue(target.items, components)] : [];
  if (type === "object") return objectExample(target, components);
  return NOTHING;
}

function objectExample(schema: Schema, components: Record<string, Schema>): Record<string, unknown> {
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name, property]) => schema.required?.includes(name) || ownExample(property, components) !== NOTHING,
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, makeValue(property, components)]));
}

function ownExample(schema: Schema, components: Record<string, Schema>): unknown {
  const target = referred(schema, components);
  for (const { examples, const: constant, enum: values } of [schema, target]) {
    if (examples && examples.length > 0) return examples[0];
    if (constant !== undefined) return constant;
    if (values && values.length > 0) return values[0];
  }
  const [first] = target.anyOf ?? [];
  return first ? ownExample(first, components) : NOTHING;
}

function referred(schema: Schema, components: Record<string, Schema>): Schema {
  if (schema.$ref === undefined) return schema;
  const target = components[schema.$ref.slice(REF.length)];
  if (!target) throw new Error(`There is no component named ${schema.$ref}`);
  return target;
}

function gapsIn(value: unknown, path: string): string[] {
  if (value === NOTHING) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => gapsIn(item, `${path}/${key}`));
}
