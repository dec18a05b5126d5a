/**
 * What no field may hold: NUL bytes and lone surrogates in text, and numbers that would be rounded. Keys that could
 * change an object's prototype are dropped at any depth, and nesting beyond `DEPTH_MAX` levels is rejected.
 */
import { lostNumber } from "@/core/parse-json";
import { HttpError } from "../errors";

const DEPTH_MAX = 40;
/** The depth of a body's own fields. */
const FIELD_DEPTH = 1;
/** Keys that could change an object's prototype. */
export const DROPPED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Something that no field may hold. */
export interface Unfit {
  kind: "number" | "text";
  /** The field of the body itself that contains it, at any depth; empty if the body is not an object. */
  field: string;
  /** What is wrong, prefixed with the path to it. */
  fault: string;
}

/** Where in a body a value is. Its path is written only where there is a fault: a body may have very many values. */
interface Place extends Pick<Unfit, "field"> {
  /** What contains the value, unless it is the body itself, and the value's key or index in that. */
  within?: Place;
  key: string | number;
  depth: number;
}

const BODY: Place = { key: "", field: "", depth: 0 };

function pathOf({ within, key }: Place): string {
  if (within === undefined) return "";
  const before = pathOf(within);
  if (typeof key === "number") return `${before}[${key}]`;
  return before ? `${before}.${key}` : key;
}

/** Returns the value without keys that are dropped, and all that is unfit in it. Throws 400 for one nested too deeply. */
export function cleaned(value: unknown): { value: unknown; unfit: Unfit[] } {
  const unfit: Unfit[] = [];
  return { value: clean(value, BODY, unfit), unfit };
}

function clean(value: unknown, place: Place, unfit: Unfit[]): unknown {
  if (typeof value === "string") return cleanText(value, place, unfit);
  if (typeof value !== "object" || value === null) return value;
  const { field, depth } = place;
  if (depth >= DEPTH_MAX)
    throw new HttpError(400, "The body is nested too deeply", [`${pathOf(place)}: at most ${DEPTH_MAX} levels`]);
  if (!Array.isArray(value)) return cleanObject(value, place, unfit);
  return value.map((item, key) => clean(item, { within: place, key, field, depth: depth + 1 }, unfit));
}

function cleanText(text: string, place: Place, unfit: Unfit[]): string | number {
  const { field, depth } = place;
  const number = lostNumber(text);
  // A number that is not within an object or list is in a field with limits of its own, or ignored.
  if (number !== undefined && depth <= FIELD_DEPTH) return number;
  const kind = number === undefined ? "text" : "number";
  const fault = kind === "text" ? textFault(text) : "this number is too large to be kept exactly; send it as text";
  if (fault) unfit.push({ kind, field, fault: `${pathOf(place) || "body"}: ${fault}` });
  return text;
}

function cleanObject(value: object, place: Place, unfit: Unfit[]): object {
  const { field, depth } = place;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (DROPPED_KEYS.has(key)) continue;
    if (textFault(key)) {
      const fault = `${pathOf(place) || "body"}: a key contains a NUL byte or a lone surrogate`;
      unfit.push({ kind: "text", field, fault });
    }
    result[key] = clean(item, { within: place, key, field: depth === 0 ? key : field, depth: depth + 1 }, unfit);
  }
  return result;
}

/** Returns everything in the value that no field may hold. */
export const unfitIn = (value: unknown): Unfit[] => cleaned(value).unfit;

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

/** Returns the text as Postgres and UTF-8 can represent it. */
export const fitText = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** Returns why Postgres or UTF-8 cannot represent the text, or undefined if they can. */
export function textFault(text: string): string | undefined {
  if (text.includes("\0")) return "must not contain a NUL byte";
  return text.isWellFormed() ? undefined : "must be well-formed Unicode (it contains a lone surrogate)";
}
