/**
 * Entity tags (RFC 9110, 8.8.3 and 13.1.1). Resources that several people edit are returned with an `ETag`, and a
 * change can state in `If-Match` the tag it is based on. The tag is a digest of the editable fields, so that neither
 * a click nor a destination check changes it, and it needs no column.
 *
 * The function that makes the wire form of such a resource remembers its tag, and `http/wire.ts` sends the tag of any
 * response body that has one: whatever creates, reads or changes the resource returns it with its `ETag`.
 */
import { ElysiaCustomStatusResponse } from "elysia";
import { malformed, preconditionFailed } from "../errors";

const HEADER = "If-Match";
const TAG_LENGTH = 22;

/** The tags that a change accepts; `*` accepts any. */
export type IfMatch = ReadonlySet<string> | "*";

/** A tag of a resource that several people edit, and one of a response that clients keep. */
export const EXAMPLE_TAGS = { tagged: '"mB3p2ZQ0c1hQ3mPq8wUa7w"', cached: '"3b0f6d1a9c4e2f7a8b5d"' };

/**
 * Describes a header for the OpenAPI document only. The header is read by hand, because a schema would make Elysia
 * parse all headers.
 */
const tagsParameter = (name: string, effect: string, example: string) =>
  ({
    name,
    in: "header",
    description: `An \`ETag\` you received, or several separated by commas; \`*\` matches any. ${effect}`,
    schema: { type: "string", minLength: 1, examples: [example] },
  }) as const;

const IF_MATCH_PARAMETER = tagsParameter(
  HEADER,
  "The change is made only if one of them is still the current one; otherwise you get 412, and nothing changes. " +
    "Without this header, the last change wins",
  EXAMPLE_TAGS.tagged,
);

/** OpenAPI details for operations that change or delete a tagged resource. */
export const CHANGES_TAGGED = { parameters: [IF_MATCH_PARAMETER] };

const NONE_HEADER = "If-None-Match";

const CREATES_ONLY_PARAMETER = {
  name: NONE_HEADER,
  in: "header" as const,
  description: "With `*`, the request only creates: if there is one already, you get 412, and nothing changes",
  schema: { type: "string" as const, enum: ["*"], examples: ["*"] },
};

/** OpenAPI details for operations that create a tagged resource or change it. */
export const CREATES_OR_CHANGES_TAGGED = { parameters: [IF_MATCH_PARAMETER, CREATES_ONLY_PARAMETER] };

/**
 * Marks an operation that returns an `ETag` for the caches of clients, and 304 to those that have what it names. The
 * OpenAPI document omits this mark and describes the header instead.
 */
export const CACHED = "x-cached";

const IF_NONE_MATCH_PARAMETER = tagsParameter(
  NONE_HEADER,
  "You get 304 if one of them is still the current one",
  EXAMPLE_TAGS.cached,
);

/** OpenAPI details for operations whose responses clients keep. */
export const READS_CACHED = { [CACHED]: true, parameters: [IF_NONE_MATCH_PARAMETER] };

const tags = new WeakMap<object, () => string>();

/**
 * Returns a strong tag. The fields must be JSON values; undefined ones are ignored. Postgres keeps the keys of a value
 * in an order of its own, and what was just written may still have the client's.
 */
export function entityTag(editable: object): string {
  const fields = Object.entries(editable).map(([field, value]) => [field, inStoredOrder(value)]);
  const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(Object.fromEntries(fields)));
  return `"${hash.digest("base64url").slice(0, TAG_LENGTH)}"`;
}

/** Orders the keys at all depths as `jsonb` does: by their length in bytes, and then by their bytes. */
function inStoredOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inStoredOrder);
  const entries = Object.entries(value).map(([key, inner]) => ({ key, bytes: Buffer.from(key), inner }));
  entries.sort((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes));
  return Object.fromEntries(entries.map(({ key, inner }) => [key, inStoredOrder(inner)]));
}

/**
 * Remembers the tag of a resource's wire form, and returns the wire form. The tag is computed only if that is a whole
 * response body; in a list it is not.
 */
export function withTag<Shown extends object>(shown: Shown, tag: () => string): Shown {
  tags.set(shown, tag);
  return shown;
}

/** Returns the tag of a response body, or undefined if it has none. */
export const entityTagOf = (shown: unknown): string | undefined =>
  typeof shown === "object" && shown !== null ? tags.get(shown)?.() : undefined;

/** Sets the header if what a handler returned, a body with or without a status, has a tag. */
export function setTagHeader(headers: Record<string, string | number>, returned: unknown): void {
  const tag = entityTagOf(returned instanceof ElysiaCustomStatusResponse ? returned.response : returned);
  if (tag !== undefined) headers.etag = tag;
}

/** Throws 412 unless the header is absent or accepts the tag. A weak tag never matches a strong one. */
export function requireMatch(ifMatch: IfMatch | undefined, tag: string, what: string): void {
  if (ifMatch === undefined || ifMatch === "*" || ifMatch.has(tag)) return;
  throw preconditionFailed(`Someone else changed this ${what} after you read it; read it again`, tag);
}

/** One element of the list and the separator after it: `"a", W/"b"`. Empty elements are allowed. */
const ELEMENT = /[ \t]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?[ \t]*(?:,|$)/y;

/** Returns the accepted tags, or undefined without the header. Throws 400. */
export function ifMatchOf(request: Request): IfMatch | undefined {
  const text = request.headers.get(HEADER);
  if (text === null) return undefined;
  if (text.trim() === "*") return "*";
  const found = new Set<string>();
  for (let at = 0; at < text.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at;
    const element = ELEMENT.exec(text);
    if (!element) throw notTags();
    if (element[1]) found.add(element[1]);
  }
  if (found.size === 0) throw notTags();
  return found;
}

/** True if the request may only create, and must not change what exists. Throws 400. */
export function createsOnly(request: Request): boolean {
  const text = request.headers.get(NONE_HEADER);
  if (text !== null && text.trim() !== "*")
    throw malformed("The request has invalid headers", [`${NONE_HEADER}: expected *`]);
  return text !== null;
}

const notTags = () =>
  malformed("The request has invalid headers", [`${HEADER}: expected * or tags in quotes, separated by commas`]);
