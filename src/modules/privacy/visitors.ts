/** The keys under which clicks and opens may know a visitor of this name. */
import { DAY_MS } from "@/core/time/time-range";
import { type VisitorSecret, visitorKey, visitorNumber } from "@/platform/visitor";

/** As clicks and leads tell it. */
const KEY = /^[0-9a-f]{16}$/i;

export const isVisitorKey = (visitorId: string): boolean => KEY.test(visitorId);

export interface NamedVisitor {
  orgId: string;
  /** Since when there may be visits, and until when; Unix milliseconds. */
  from: number;
  to: number;
}

/** The key itself; and those made of a name that an app resolved links with, whether or not keys change by the day. */
export function keysOf({ keyed }: VisitorSecret, visitorId: string, { orgId, from, to }: NamedVisitor): bigint[] {
  const keys = isVisitorKey(visitorId) ? [visitorNumber(visitorId)] : [];
  const made = (rotation: VisitorSecret["rotation"], at: number) =>
    visitorNumber(visitorKey({ keyed, rotation }, { orgId, at, visitorId, address: "", userAgent: "" }));
  keys.push(made("none", from));
  for (let at = from - (from % DAY_MS); at <= to; at += DAY_MS) keys.push(made("daily", at));
  return keys;
}
