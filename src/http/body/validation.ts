/** Turns schema errors into sentences with field names: `rules[1].conditions.startTime: expected HH:mm`. */
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import type { ValidationError } from "elysia";
import { validFieldsOf } from "./body-faults";
import { formatFault } from "./formats";
import { dropInherited } from "./read-body";
import { schemaOfPresent, unknownFieldFaults } from "./unlisted-fields";

/** Maximum number of schema faults in one response. */
const FAULTS_MAX = 50;

export type Read<Value, Part> = { ok: true; value: Value } | { ok: false; faults: string[]; sound: Part };

/**
 * Returns a reader for part of a body that works as routes do for whole bodies: unlisted fields are dropped. The
 * schema is compiled on first use.
 */
export function createBodyReader<Schema extends TObject>(
  schema: Schema,
): (value: unknown) => Read<Static<Schema>, Partial<Static<Schema>>> {
  let checker: TypeCheck<Schema> | undefined;
  return (value) => {
    checker ??= TypeCompiler.Compile(schema);
    dropInherited(value);
    const cleaned = Value.Clean(schema, value);
    if (checker.Check(cleaned)) return { ok: true, value: cleaned };
    const cut = withinLimits(schema, cleaned);
    const faults = detailsBy(schema, checker.Errors(cut), cut);
    return { ok: false, faults, sound: validFieldsOf(schema, cleaned) };
  };
}

/**
 * Returns the faults, computed from the schema itself: Elysia's own list (`all`) puts the received value into a
 * sentence and throws for an object whose `toString` is not a function. For a query value that could not be
 * converted, only its schema is available.
 */
export function schemaDetails({ validator, value }: ValidationError): string[] {
  if ("~standard" in validator) return [];
  if (!("Errors" in validator)) return validationDetails(Value.Errors(validator, value));
  if (!("Schema" in validator)) return validationDetails(validator.Errors(value));
  const schema: TSchema = validator.Schema();
  const cut = withinLimits(schema, value);
  return detailsBy(schema, validator.Errors(cut), cut);
}

/**
 * Returns the value with lists that are too long cut after the first item too many. Its faults are looked for on the
 * thread that serves all visitors, and a body has room for hundreds of thousands of items.
 */
function withinLimits(schema: TSchema, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const own = schemaOfPresent(schema);
  if (Array.isArray(value)) {
    const items = value.length > own.maxItems ? value.slice(0, own.maxItems + 1) : value;
    return own.items ? items.map((item) => withinLimits(own.items, item)) : items;
  }
  const listed = Object.entries<TSchema>(own.properties ?? {}).filter(([name]) => Object.hasOwn(value, name));
  const within = listed.map(([name, inner]) => [name, withinLimits(inner, Reflect.get(value, name))]);
  return { ...value, ...Object.fromEntries(within) };
}

const detailsBy = (schema: TSchema, errors: Iterable<ValueError>, value: unknown): string[] => [
  ...validationDetails(errors),
  ...unknownFieldFaults(schema, value),
];

function validationDetails(errors: Iterable<ValueError>): string[] {
  const details = new Set<string>();
  for (const error of errors) {
    for (const detail of flattened(error)) details.add(detail);
    if (details.size >= FAULTS_MAX) break;
  }
  return [...details].slice(0, FAULTS_MAX);
}

/**
 * Flattens the error of a union. If some branches failed deeper in the value than the union itself, uses the errors
 * of the best-fitting one, which has the fewest invalid fields; the first one among equals.
 */
function flattened(error: ValueError): string[] {
  const branches = (error.errors ?? []).map((branch) => [...branch]);
  const deeper = branches
    .map((branch) => branch.filter((inner) => inner.path.length > error.path.length))
    .filter((branch) => branch.length > 0);
  const [best] = deeper.toSorted((one, other) => fieldsAtFault(one) - fieldsAtFault(other));
  if (best) return best.flatMap(flattened);
  const field = fieldName(error.path);
  const expected = expectation(error);
  return [expected.startsWith(`${field}: `) || isNamed(error) ? expected : `${field}: ${expected}`];
}

const fieldsAtFault = (errors: ValueError[]) => new Set(errors.map(({ path }) => path)).size;

/** A query value that could not be converted comes without its path; its message names the field itself. */
const isNamed = (error: ValueError) => error.path === "" && /^[a-zA-Z]+: /.test(String(error.schema.error ?? ""));

/** Turns `/rules/1/conditions/startTime` into `rules[1].conditions.startTime`. */
function fieldName(path: string): string {
  const segments = path
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  const name = segments.reduce(
    (text, segment) => (/^\d+$/.test(segment) ? `${text}[${segment}]` : `${text}.${segment}`),
    "",
  );
  return name.replace(/^\./, "") || "body";
}

/** Checks only text: for any other type, the schema's own message applies. */
function faultOfForm({ schema, value }: ValueError): string | undefined {
  if (typeof value !== "string") return undefined;
  const forms: TSchema[] = [schema, ...(schema.anyOf ?? [])];
  return forms.map(({ format }) => format && formatFault(format, value)).find(Boolean);
}

function expectation(error: ValueError): string {
  if (error.value === undefined) return "required";
  const formFault = faultOfForm(error);
  if (formFault) return formFault;
  const own: unknown = error.schema.error;
  if (typeof own === "string") return own;
  const branch = (error.schema.anyOf ?? []).find((schema: { error?: unknown }) => typeof schema.error === "string");
  if (branch) return branch.error;
  return error.message.charAt(0).toLowerCase() + error.message.slice(1);
}
