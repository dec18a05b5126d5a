/** Finds the keys under which clicks and opens may have stored a visitor of this name. */
import { DAY_MS } from "@/core/time/time-range";
import { type VisitorSecret, visitorKey, visitorNumber } from "@/platform/visitor";

/** The form in which clicks and leads show a visitor's key. */
const KEY = /^[0-9a-f]{16}$/i;

export const isVisitorKey = (visitorId: string): boolean => KEY.test(visitorId);

export interface NamedVisitor {
  orgId: string;
  /** The range in which there may be visits, in Unix milliseconds. */
  from: number;
  to: number;
}

/**
 * Returns the key itself, and those derived from a name with which an app resolved links, for keys that never change
 * and for keys that change daily.
 */
export function keysOf({ keyed }: VisitorSecret, visitorId: string, { orgId, from, to }: NamedVisitor): bigint[] {
  const keys = isVisitorKey(visitorId) ? [visitorNumber(visitorId)] : [];
  const made = (rotation: VisitorSecret["rotation"], at: number) =>
    visitorNumber(visitorKey({ keyed, rotation }, { orgId, at, visitorId, address: "", userAgent: "" }));
  keys.push(made("none", from));
  for (let at = from - (from % DAY_MS); at <= to; at += DAY_MS) keys.push(made("daily", at));
  return keys;
}
