/** Turns a schema's complaints into sentences behind field names: `rules[1].conditions.startTime: expected HH:mm`. */
import type { Static, TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import type { ValidationError } from "elysia";
import { invalid } from "./errors";

/** How many faults one answer lists. */
const FAULTS_MAX = 50;

/** Reads a part of a body as routes read whole ones: what is not listed is dropped. It throws 400 with every fault. */
export function readerOf<Schema extends TSchema>(schema: Schema): (value: unknown) => Static<Schema> {
  const checker = TypeCompiler.Compile(schema);
  return (value) => {
    const cleaned = Value.Clean(schema, value);
    if (!checker.Check(cleaned)) throw invalid(validationDetails(checker.Errors(cleaned)));
    return cleaned;
  };
}

/**
 * What is at fault, asked of the schema itself: Elysia's own list (`all`) puts the value that came into a sentence, which
 * throws for an object whose `toString` is none. A query value that could not be converted comes with its schema alone.
 */
export function schemaErrors({ validator, value }: ValidationError): Iterable<ValueError> {
  if ("Errors" in validator) return validator.Errors(value);
  return "~standard" in validator ? [] : Value.Errors(validator, value);
}

export function validationDetails(errors: Iterable<ValueError>): string[] {
  const details = new Set<string>();
  for (const error of errors) {
    for (const detail of flattened(error)) details.add(detail);
    if (details.size >= FAULTS_MAX) break;
  }
  return [...details].slice(0, FAULTS_MAX);
}

/**
 * A union complains as one; where branches went deeper than others, the useful complaints are those of the one that fits
 * best, with the fewest fields at fault; of equals, the first.
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

/** A query value that could not be converted comes without its path; its sentence names the field itself. */
const isNamed = (error: ValueError) => error.path === "" && /^[a-zA-Z]+: /.test(String(error.schema.error ?? ""));

/** `/rules/1/conditions/startTime` as `rules[1].conditions.startTime`. */
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

function expectation(error: ValueError): string {
  if (error.value === undefined) return "required";
  const own: unknown = error.schema.error;
  if (typeof own === "string") return own;
  const branch = (error.schema.anyOf ?? []).find((schema: { error?: unknown }) => typeof schema.error === "string");
  if (branch) return branch.error;
  return error.message.charAt(0).toLowerCase() + error.message.slice(1);
}
