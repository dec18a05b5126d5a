/** Lists every field of a contract schema, at any depth, with its place in a body. */
import type { TSchema } from "@sinclair/typebox";
import { exampleOf } from "@/http/document/example";

export type Place = (string | number)[];

export interface Field {
  /** Its name in `details`: `rules[0].destinationUrl`. */
  name: string;
  place: Place;
  schema: TSchema;
  isNullable: boolean;
}

/** Returns the fields of a schema, including itself. The first item of a list is a field too. */
export function fieldsOfSchema(schema: TSchema, place: Place = []): Field[] {
  const { own, isNullable } = withoutNull(schema);
  const field: Field = { name: nameOf(place), place, schema: own, isNullable };
  return [field, ...childrenOf(own).flatMap(([key, child]) => fieldsOfSchema(child, [...place, key]))];
}

function nameOf(place: Place): string {
  const name = place.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return name.replace(/^\./, "") || "body";
}

/** Returns a copy of the body with the value at this place. */
export function withValue(body: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value;
  const isList = Array.isArray(body) || (body === undefined && typeof step === "number");
  const copy: Record<string | number, unknown> = isList ? Object.assign([], body) : { ...Object(body) };
  copy[step] = withValue(copy[step], rest, value);
  return copy;
}

export const valueAt = (body: unknown, place: Place): unknown =>
  place.reduce<unknown>((inner, step) => Object(inner)[step], body);

/** Returns the body with an example for every object and list that it lacks, so that each field's parents exist. */
export function withParents(body: unknown, fields: Field[]): unknown {
  return fields
    .filter(({ schema }) => schema.type === "object" || schema.type === "array")
    .reduce((whole, { place, schema }) => {
      if (valueAt(whole, place) !== undefined) return whole;
      const example = exampleOf(schema, {});
      return withValue(whole, place, "value" in example ? example.value : schema.type === "array" ? [] : {});
    }, body);
}

function childrenOf(schema: TSchema): [string | number, TSchema][] {
  if (schema.type === "array") return [[0, schema.items]];
  return Object.entries<TSchema>(schema.properties ?? {});
}

/** Reduces a union of one schema and null to that schema, which is then nullable. */
function withoutNull(schema: TSchema): { own: TSchema; isNullable: boolean } {
  const branches: TSchema[] = schema.anyOf ?? [];
  const [own, ...others] = branches.filter(({ type }) => type !== "null");
  const isNullable = own !== undefined && others.length === 0 && branches.length > 1;
  return isNullable ? { own, isNullable } : { own: schema, isNullable: false };
}
