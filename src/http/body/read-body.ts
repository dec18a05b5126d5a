/**
 * Reads request bodies: once, after authentication, up to a size limit, and only JSON. Rejects nesting beyond 40
 * levels on every route and drops prototype keys at any depth. What no field may hold (NUL bytes and lone surrogates in
 * text, numbers that would be rounded) is detected here and reported together with all other faults of the body.
 */
import { lostNumber, parseJson } from "@/core/parse-json";
import { compressed, HttpError, hungUp, malformed, notJson, tooLarge } from "../errors";

const BODY_BYTES_MAX = 256 * 1024;
const DEPTH_MAX = 40;
/** The depth of a body's own fields. */
const FIELD_DEPTH = 1;
const FREE_OBJECT_BYTES_MAX = 16 * 1024;
const FREE_OBJECT_DEPTH_MAX = 32;
/** Keys that could change an object's prototype. */
export const DROPPED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export interface BodyRules {
  /** Defaults to `BODY_BYTES_MAX`. */
  bytesMax?: number;
  /** The route itself reports what no field may hold, using `unfitFaults` on the part of the body that contains it. */
  leavesUnfit?: boolean;
  /** A missing body counts as an empty object. */
  isOptional?: boolean;
  /** The route reads the raw body itself. */
  isUpload?: boolean;
  /** The body contains a secret: the response to malformed JSON does not quote it. */
  isSecret?: boolean;
}

export interface JsonBody {
  /** Undefined without a body, unless the body is optional. What no field may hold has been repaired. */
  value: unknown;
  unfit: Unfit[];
}

/** Something that no field may hold. */
export interface Unfit {
  kind: "number" | "text";
  /** The field of the body itself that contains it, at any depth; empty if the body is not an object. */
  field: string;
  /** What is wrong, prefixed with the path to it. */
  fault: string;
}

/** Where in a body a value is. */
interface Place extends Pick<Unfit, "field"> {
  path: string;
  depth: number;
}

const BODY: Place = { path: "", field: "", depth: 0 };

/** Reads and parses the body. Throws 400, 413 or 415, and 408 if the client disconnects. */
export async function readJsonBody(request: Request, rules: BodyRules): Promise<JsonBody> {
  const { bytesMax = BODY_BYTES_MAX, leavesUnfit = false, isOptional = false, isSecret = false } = rules;
  const none = { value: isOptional ? {} : undefined, unfit: [] };
  if (request.body === null) return none;
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const bytes = await readWithin(request.body, bytesMax).catch((error: unknown) => {
    // Reading the body fails only if the client disconnects.
    throw error instanceof HttpError ? error : hungUp();
  });
  if (bytes.length === 0) return none;
  refuseCompressed(request);
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(request.headers.get("content-type") ?? "")) throw notJson();
  const unfit: Unfit[] = [];
  const value = cleaned(parsed(bytes, isSecret), BODY, unfit);
  return leavesUnfit || unfit.length === 0 ? { value, unfit: [] } : { value: withoutUnfit(value), unfit };
}

/** Throws 415 if the body is compressed. */
export function refuseCompressed({ headers }: Request): void {
  if (/\b(?:gzip|compress|deflate|br|zstd)\b/i.test(headers.get("content-encoding") ?? "")) throw compressed();
}

async function readWithin(stream: ReadableStream<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(bytes: Buffer, isSecret: boolean): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw malformed("The body is not valid JSON", isSecret ? undefined : [`body: ${reason}`]);
  }
}

function cleaned(value: unknown, place: Place, unfit: Unfit[]): unknown {
  if (typeof value === "string") return cleanedText(value, place, unfit);
  if (typeof value !== "object" || value === null) return value;
  const { path, depth } = place;
  if (depth >= DEPTH_MAX)
    throw new HttpError(400, "The body is nested too deeply", [`${path}: at most ${DEPTH_MAX} levels`]);
  if (!Array.isArray(value)) return cleanedObject(value, place, unfit);
  return value.map((item, index) => cleaned(item, { ...place, path: `${path}[${index}]`, depth: depth + 1 }, unfit));
}

function cleanedText(text: string, { path, field, depth }: Place, unfit: Unfit[]): string | number {
  const number = lostNumber(text);
  // A number that is not within an object or list is in a field with limits of its own, or ignored.
  if (number !== undefined && depth <= FIELD_DEPTH) return number;
  const kind = number === undefined ? "text" : "number";
  const fault = kind === "text" ? textFault(text) : "this number is too large to be kept exactly; send it as text";
  if (fault) unfit.push({ kind, field, fault: `${path || "body"}: ${fault}` });
  return text;
}

function cleanedObject(value: object, { path, field, depth }: Place, unfit: Unfit[]): object {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (DROPPED_KEYS.has(key)) continue;
    if (textFault(key)) {
      unfit.push({ kind: "text", field, fault: `${path || "body"}: a key contains a NUL byte or a lone surrogate` });
    }
    const within = { path: path ? `${path}.${key}` : key, field: depth === 0 ? key : field, depth: depth + 1 };
    result[key] = cleaned(item, within, unfit);
  }
  return result;
}

/** Returns everything in the value that no field may hold. */
export function unfitIn(value: unknown): Unfit[] {
  const unfit: Unfit[] = [];
  cleaned(value, BODY, unfit);
  return unfit;
}

/** Returns the faults of what no field of a value may hold, each with its field. */
export const unfitFaults = (value: unknown): string[] => unfitIn(value).map(({ fault }) => fault);

/**
 * Leaves out numbers that the schema has dropped with an unlisted field: they are ignored, like all of it.
 * `listed` is the value that satisfies the schema.
 */
export const ofListedFields = (unfit: readonly Unfit[], listed: unknown): Unfit[] =>
  unfit.filter(({ kind, field }) => kind !== "number" || Object.hasOwn(Object(listed), field));

/**
 * Removes what no text may contain, and rounds numbers, so that the rest of the value can be checked. Keys with such
 * text are dropped.
 */
export function withoutUnfit(value: unknown): unknown {
  if (typeof value === "string") return lostNumber(value) ?? fitText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutUnfit);
  const fit = Object.entries(value).filter(([key]) => textFault(key) === undefined);
  return Object.fromEntries(fit.map(([key, item]) => [key, withoutUnfit(item)]));
}

const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/**
 * Removes fields such as `toString` or `constructor`, which every object inherits: the schema check, which asks with
 * `in`, would take them for listed ones.
 */
export function dropInherited(fields: unknown): void {
  if (typeof fields !== "object" || fields === null) return;
  for (const name of INHERITED) Reflect.deleteProperty(fields, name);
}

/** Returns the text as Postgres and UTF-8 can represent it. */
export const fitText = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** Returns why Postgres or UTF-8 cannot represent the text, or undefined if they can. */
export function textFault(text: string): string | undefined {
  if (text.includes("\0")) return "must not contain a NUL byte";
  return text.isWellFormed() ? undefined : "must be well-formed Unicode (it contains a lone surrogate)";
}

/** Returns the faults in the size and depth of a free-form object, each with its field. */
export function checkFreeObject(field: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const faults: string[] = [];
  if (Buffer.byteLength(JSON.stringify(value)) > FREE_OBJECT_BYTES_MAX) faults.push(`${field}: expected at most 16 KB`);
  if (isDeeper(value, FREE_OBJECT_DEPTH_MAX)) faults.push(`${field}: expected at most ${FREE_OBJECT_DEPTH_MAX} levels`);
  return faults;
}

/** Returns true if objects and arrays are nested in more than `levels` levels. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
