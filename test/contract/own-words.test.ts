/** What is wrong with a request is said in our own words, never in those of the library that found it. */
import { expect, test } from "bun:test";
import { describeApp } from "@test/support/document/described";

interface Declared {
  error?: unknown;
  type?: string;
  anyOf?: Declared[];
  items?: Declared;
  properties?: Record<string, Declared>;
  [keyword: string]: unknown;
}

/** Keywords of what a value must be; a text in a query that has none of them can be anything. */
const LIMITS = ["minLength", "maxLength", "pattern", "format", "minimum", "maximum", "minItems", "maxItems"];

const { app } = await describeApp();
const declared = app.routes.flatMap(({ method, path, hooks }) => {
  const { body, query }: { body?: Declared; query?: Declared } = hooks;
  return [
    ...(body ? wordless(`${method} ${path} body`, body, true) : []),
    ...Object.entries(query?.properties ?? {}).flatMap(([name, schema]) =>
      wordless(`${method} ${path} ?${name}`, schema, false),
    ),
  ];
});

/** Returns the places in which the schema lacks a sentence of its own. */
function wordless(place: string, schema: Declared, isTyped: boolean, inherited?: unknown): string[] {
  const error = schema.error ?? inherited;
  const isLimited = (isTyped && schema.type !== undefined) || LIMITS.some((keyword) => schema[keyword] !== undefined);
  return [
    ...(error === undefined && isLimited && schema.type !== "null" && !schema.anyOf ? [place] : []),
    ...(schema.anyOf ?? []).flatMap((branch) => wordless(place, branch, isTyped, error)),
    ...(schema.items ? wordless(`${place}[]`, schema.items, isTyped) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => wordless(`${place}.${name}`, inner, isTyped)),
  ];
}

test("every limit of a request has a sentence", () => {
  expect(declared).toEqual([]);
});
