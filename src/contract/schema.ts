/**
 * Schema building blocks that all contract files share. JSON numbers and booleans are strict: Elysia's own
 * `t.Integer` and `t.Boolean` would accept `"5"` and `"true"` in a body, so TypeBox's are used. Query strings, where
 * everything is text, use Elysia's.
 *
 * Options of our own: `namesKept` on an object means that unlisted fields are not dropped silently
 * (`http/body/unlisted-fields.ts`). `error` is the sentence that follows the field's name in `details` (`slug: expected 1 to
 * 190 characters`). `documentedFormat` becomes `format` in the OpenAPI document, instead of the `pattern` that is
 * checked. `documentedItems` becomes `items`, instead of a list of unknown items that are checked one by one. `tagged`
 * means that a response which is this record has an `ETag` (`http/headers/entity-tag.ts`).
 */
import { FormatRegistry, Kind, type Static, type TOptional, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";
import { t } from "elysia";

/**
 * Text formats that need more than a pattern to check; `http/body/formats.ts` checks them and words the errors. They occur
 * only in requests, never in responses: data stored before a format became stricter must remain readable.
 */
export const FORMATS = {
  country: "x-country",
  destination: "x-destination",
  instant: "x-instant",
  language: "x-language",
  network: "x-network",
  parameter: "x-parameter",
  referrer: "x-referrer",
} as const;

/**
 * The kind of schema that `text` makes. Its lengths count characters (code points), as JSON Schema and Postgres do;
 * TypeBox's own strings count UTF-16 units, of which an emoji takes two.
 */
const TEXT = "Text";

TypeRegistry.Set<TSchema>(
  TEXT,
  (schema, value) =>
    typeof value === "string" &&
    hasLength(value, schema.minLength, schema.maxLength) &&
    (schema.format === undefined || FormatRegistry.Get(schema.format)?.(value) === true) &&
    (schema.pattern === undefined || patternOf(schema.pattern).test(value)),
);

/** Counts the characters only if it matters: there are at most as many as units, and at least half as many. */
export function hasLength(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length <= max && value.length >= 2 * min) return true;
  const { length } = [...value];
  return length >= min && length <= max;
}

const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  const known = patterns.get(source) ?? new RegExp(source);
  patterns.set(source, known);
  return known;
}

export const text = (maxLength: number, minLength = 0, description?: string) =>
  Type.Unsafe<string>({
    [Kind]: TEXT,
    type: "string",
    minLength,
    maxLength,
    description,
    error:
      minLength > 0 ? `expected ${minLength} to ${maxLength} characters` : `expected at most ${maxLength} characters`,
  });

/** No visit has a longer query or referring page: the HTTP server reads 16 KB of headers. */
export const VISIT_LENGTH_MAX = 16_384;
/** What a request can say of a visit in its own query, with room for the rest of its 16 KB. */
export const STATED_VISIT_LENGTH_MAX = 12_288;

/** An absolute http(s) URL, as a client sends it. */
export const destination = (description?: string) => ({ ...text(2048, 1, description), format: FORMATS.destination });

export const flag = (description?: string) => Type.Boolean({ description, error: "expected true or false" });

export const integer = (minimum: number, maximum: number, description?: string) =>
  Type.Integer({
    minimum,
    maximum,
    description,
    error: `expected an integer from ${minimum} to ${maximum}`,
  });

export const oneOf = <const Values extends readonly string[]>(values: Values, description?: string) =>
  Type.Unsafe<Values[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { description, error: `expected one of ${values.join(", ")}` },
    ),
  );

/** Adds an example for the OpenAPI document, which composes the examples of whole bodies from those of their fields. */
export const withExample = <Schema extends TSchema>(example: Static<Schema>, schema: Schema): Schema => ({
  ...schema,
  examples: [example],
});

/**
 * A value that `null` clears. It repeats the error of its schema: for a schema without one, Elysia generates an
 * error, and throws if the value is an object whose `toString` is not a function.
 */
export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()], schema.error === undefined ? {} : { error: schema.error });

/** The id in all examples, so that those of different operations fit together. */
export const EXAMPLE_ID = "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e";

export const id = (description?: string) => Type.String({ description, examples: [EXAMPLE_ID] });

/** An instant in a response: ISO 8601, UTC, milliseconds. */
export const instant = (description?: string) =>
  Type.String({
    description,
    format: "date-time",
    examples: ["2026-01-31T12:00:00.000Z"],
  });

/** An instant in a request: ISO 8601 with an offset, or a date, which means midnight UTC. */
export const instantInput = (description?: string) => ({ ...instantAsSent(description), format: FORMATS.instant });

/** An instant that is stored and returned as it was sent. */
export const instantAsSent = (description?: string) =>
  Type.String({
    description,
    documentedFormat: "date-time",
    maxLength: 40,
    examples: ["2026-01-31T12:00:00.000Z"],
    error: "expected an ISO 8601 date, alone or with time and offset: 2026-01-31 or 2026-01-31T12:00:00Z",
  });

/**
 * A free-form JSON object of at most 16 KB and 32 levels, checked by `checkFreeObject`. Not a `Type.Record`, because
 * the pattern for its keys does not match keys with a line break.
 */
export const freeObject = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>(
    Type.Object({}, { additionalProperties: Type.Unknown(), description, error: "expected an object" }),
  );

/** An object whose unlisted fields are dropped. */
export const shape: typeof Type.Object = (properties, options) =>
  Type.Object(properties, { error: "expected an object", ...options });

export const optional = Type.Optional;

export const list = <Item extends TSchema>(item: Item, maxItems: number, description?: string) =>
  Type.Array(item, {
    maxItems,
    description,
    error: `expected a list of at most ${maxItems}`,
  });

/** An integer in a query string. Elysia converts the text; its errors do not name the field, so `error` does. */
export const queryInteger = (name: string, minimum: number, maximum: number, description?: string) =>
  t.Integer({
    minimum,
    maximum,
    description,
    error: `${name}: expected an integer from ${minimum} to ${maximum}`,
  });

export const queryFlag = (name: string, description?: string) =>
  t.BooleanString({ description, error: `${name}: expected true or false` });

export const pageQuery = {
  page: optional(queryInteger("page", 1, 1_000_000, "Starts at 1, which is the default")),
  limit: optional(queryInteger("limit", 1, 100, "Items per page; defaults to 25")),
};

export const pageOf = <Name extends string, Item extends TSchema>(name: Name, item: Item) =>
  shape(
    {
      [name]: Type.Array(item),
      page: withExample(1, Type.Integer()),
      limit: withExample(25, Type.Integer()),
      total: withExample(1, Type.Integer()),
      totalPages: withExample(1, Type.Integer()),
      totalIsEstimate: optional(
        withExample(
          true,
          Type.Boolean({ description: "True if `total` is an estimate (beyond 10,000); omitted if it is exact" }),
        ),
      ),
    } as { [Key in Name]: ReturnType<typeof Type.Array<Item>> } & {
      page: ReturnType<typeof Type.Integer>;
      limit: ReturnType<typeof Type.Integer>;
      total: ReturnType<typeof Type.Integer>;
      totalPages: ReturnType<typeof Type.Integer>;
      totalIsEstimate: TOptional<ReturnType<typeof Type.Boolean>>;
    },
    item.$id === undefined ? {} : { $id: `${item.$id}Page` },
  );

export const Deleted = shape({ _id: id(), deleted: Type.Literal(true) }, { $id: "Deleted" });

export const ErrorBody = shape(
  {
    error: Type.String({ examples: ["The request has invalid fields"] }),
    details: optional(
      Type.Array(Type.String(), {
        examples: [["slug: expected 1 to 190 characters"]],
      }),
    ),
  },
  { $id: "Error" },
);
