/**
 * Entity tags (RFC 9110, 8.8.3 and 13.1.1): what several people edit is answered with an `ETag`, and a change may name the
 * one it was made of in `If-Match`. The tag is a digest of what can be edited, so that neither a click nor a check of
 * destinations makes another one, and that it needs no column of its own.
 */
import { malformed, preconditionFailed } from "../errors";

const HEADER = "If-Match";
const TAG_LENGTH = 22;

/** What a change may be made of: any of these tags, or whatever there is. */
export type IfMatch = ReadonlySet<string> | "*";

/** Says of an operation that it answers with an `ETag`; the document leaves it out and describes the header. */
export const TAGGED = "x-tagged";

/** For the document: the header is read by hand, since a schema would have all headers parsed. */
const IF_MATCH_PARAMETER = {
  name: HEADER,
  in: "header",
  description:
    "An `ETag` you received, or several separated by commas. The change is made only if it still is the current one; " +
    "otherwise you get 412, and nothing changes. `*` matches any. Without this header, the last change wins",
  schema: { type: "string", minLength: 1, examples: ['"mB3p2ZQ0c1hQ3mPq8wUa7w"'] },
} as const;

/** The details of operations that read something with a tag, and of those that change it. */
export const READS_TAGGED = { [TAGGED]: true };
export const CHANGES_TAGGED = { ...READS_TAGGED, parameters: [IF_MATCH_PARAMETER] };

const tags = new WeakMap<object, string>();

/** A strong tag. The fields are JSON values; those that are undefined do not count. */
export const entityTag = (editable: object): string =>
  `"${new Bun.CryptoHasher("sha256").update(JSON.stringify(editable)).digest("base64url").slice(0, TAG_LENGTH)}"`;

/** What is shown, with the tag of what it shows for `answered`. */
export function withTag<Shown extends object>(shown: Shown, tag: string): Shown {
  tags.set(shown, tag);
  return shown;
}

interface Answering {
  headers: Record<string, string | number>;
}

/** What is shown; its tag goes into the answer's headers. */
export async function answered<Shown extends object>({ headers }: Answering, asked: Promise<Shown>): Promise<Shown> {
  const shown = await asked;
  const tag = tags.get(shown);
  if (tag !== undefined) headers.etag = tag;
  return shown;
}

/** Throws 412 unless the tag is among those asked for, or none is. Weak tags are never the same as a strong one. */
export function requireMatch(ifMatch: IfMatch | undefined, tag: string, what: string): void {
  if (ifMatch === undefined || ifMatch === "*" || ifMatch.has(tag)) return;
  throw preconditionFailed(`Someone else changed this ${what} after you read it; read it again`, tag);
}

/** One element of the list with what follows it: `"a", W/"b"`. Empty elements are allowed. */
const ELEMENT = /[ \t]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?[ \t]*(?:,|$)/y;

/** Returns undefined without the header. Throws 400. */
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

const notTags = () =>
  malformed("The request has invalid headers", [`${HEADER}: expected * or tags in quotes, separated by commas`]);
