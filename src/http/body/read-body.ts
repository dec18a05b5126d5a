/**
 * Reads request bodies: once, after authentication, up to a size limit, and only JSON. What no field may hold
 * (`unfit.ts`) is reported together with all other faults of the body.
 */
import { parseJson } from "@/core/parse-json";
import { compressed, HttpError, hungUp, malformed, notJson, tooLarge } from "../errors";
import { cleaned, type Unfit, withoutUnfit } from "./unfit";

const BODY_BYTES_MAX = 256 * 1024;
/**
 * Nothing that anyone means to send has more objects and lists than one in as many bytes: `[1,2],` has six. A large body
 * of empty ones takes three times as long to read as any other, on the thread that serves all visitors.
 */
const PART_BYTES_MIN = 5;
const COUNTED_BYTES_MIN = 64 * 1024;
const [OBJECT, LIST] = Buffer.from("{[");

export interface BodyRules {
  /** Defaults to `BODY_BYTES_MAX`. */
  bytesMax?: number;
  /** The route itself reports what no field may hold, using `unfitIn` on the part of the body that contains it. */
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
  if (bytes.length > COUNTED_BYTES_MIN && partsIn(bytes) > bytes.length / PART_BYTES_MIN) throw tooManyParts();
  const { value, unfit } = cleaned(parsed(bytes, isSecret));
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

/** Returns how many objects and lists begin in the text, and counts such brackets within strings as well. */
function partsIn(bytes: Buffer): number {
  let parts = 0;
  for (const byte of bytes) if (byte === OBJECT || byte === LIST) parts++;
  return parts;
}

const tooManyParts = () => new HttpError(400, "The body has too many objects and lists for its size");

function parsed(bytes: Buffer, isSecret: boolean): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw malformed("The body is not valid JSON", isSecret ? undefined : [`body: ${reason}`]);
  }
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
