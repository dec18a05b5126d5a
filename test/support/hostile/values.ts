/**
 * Values that clients send by mistake or with intent, by what a schema expects. `wrongTypes` and `wrongValues` return
 * values to be refused; `ODD_TEXTS` are odd but valid wherever any text is.
 */
import type { TSchema } from "@sinclair/typebox";

export interface Value {
  name: string;
  value: unknown;
}

const OBJECTS: Value[] = [
  { name: "an operator object", value: { $gt: "" } },
  { name: "an empty object", value: {} },
];
const LISTS: Value[] = [
  { name: "a list with text", value: ["a"] },
  { name: "an empty list", value: [] },
];
const TEXTS: Value[] = [
  { name: "text", value: "text" },
  { name: "empty text", value: "" },
  { name: "digits as text", value: "5" },
  { name: "NaN as text", value: "NaN" },
];
const NUMBERS: Value[] = [
  { name: "a number", value: 5 },
  { name: "zero", value: 0 },
];
const FLAGS: Value[] = [
  { name: "true", value: true },
  { name: "false", value: false },
];
const FRACTIONS: Value[] = [
  { name: "a fraction", value: 1.5 },
  { name: "a number past 2^53", value: 2 ** 60 },
  { name: "a number past every integer", value: 1e308 },
  { name: "a huge negative number", value: -1e308 },
];
const NULL: Value = { name: "null", value: null };

export const UNFIT_TEXTS: Value[] = [
  { name: "text with a NUL byte", value: "a\0b" },
  { name: "a lone high surrogate", value: "a\ud800" },
  { name: "a lone low surrogate", value: "\udc00a" },
];

/** Valid as a title. Wherever else they occur, they must never cause a server error. */
export const ODD_TEXTS: Value[] = [
  { name: "emoji", value: "🦊👩‍👩‍👧🇩🇪" },
  { name: "right-to-left marks", value: "abc\u202egnp.exe\u202c" },
  { name: "SQL", value: "'; drop table links; --" },
  { name: "a path traversal", value: "../../etc/passwd" },
  { name: "line breaks", value: "a\r\nSet-Cookie: a=b\r\n\r\n<h1>" },
  { name: "markup", value: '"><script>alert(1)</script>' },
  { name: "a template", value: "{{7*7}}%s%n" },
  { name: "a prototype's name", value: "__proto__" },
  { name: "decomposed letters", value: "e\u0301\u0323" },
  { name: "a percent sign and an underscore", value: "%_\\" },
  { name: "invisible characters", value: "\u200b\ufeff\u00ad\u2028" },
  { name: "control characters", value: "\u0001\u001f\u007f\u0085" },
];

/** Returns values of the wrong type for this schema. */
export function wrongTypes(schema: TSchema, isNullable: boolean): Value[] {
  const wrong = [...new Set(KINDS)].filter(({ fits }) => !fits(schema)).flatMap(({ values }) => values);
  return isNullable ? wrong : [...wrong, NULL];
}

interface Kind {
  values: Value[];
  fits(schema: TSchema): boolean;
}

const isText = (schema: TSchema) => schema.type === "string" || schema.anyOf !== undefined;

const KINDS: Kind[] = [
  { values: TEXTS, fits: isText },
  { values: NUMBERS, fits: ({ type }) => type === "integer" || type === "number" },
  { values: FLAGS, fits: ({ type }) => type === "boolean" },
  { values: LISTS, fits: ({ type }) => type === "array" },
  { values: OBJECTS, fits: ({ type }) => type === "object" },
];

/** Returns values of the right type that this schema excludes. */
export function wrongValues(schema: TSchema): Value[] {
  if (schema.anyOf)
    return [...UNFIT_TEXTS, { name: "another word", value: "elsewhere" }, { name: "no text", value: "" }];
  if (schema.type === "string") return wrongTexts(schema);
  if (schema.type === "integer") return wrongIntegers(schema);
  if (schema.type === "array" && schema.maxItems !== undefined) {
    return [{ name: "an item too many", value: new Array(schema.maxItems + 1).fill(null) }];
  }
  return [];
}

function wrongTexts({ minLength = 0, maxLength, pattern }: TSchema): Value[] {
  const values = [...UNFIT_TEXTS];
  if (maxLength !== undefined) values.push({ name: "a character too many", value: "a".repeat(maxLength + 1) });
  if (minLength > 0) values.push({ name: "a character too few", value: "a".repeat(minLength - 1) });
  if (pattern !== undefined) values.push({ name: "text of another form", value: "elsewhere" });
  return values;
}

function wrongIntegers({ minimum, maximum }: TSchema): Value[] {
  return [
    ...FRACTIONS,
    { name: "one less than the least", value: minimum - 1 },
    { name: "one more than the most", value: maximum + 1 },
  ];
}
