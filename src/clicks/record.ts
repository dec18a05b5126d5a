/**
 * What the edge knows of a visit the moment it answers, and how it stands in the spool: a line of fields, cheap to write
 * and narrow. Everything that can be worked out later is left out.
 */
import type { RouteKind } from "@/contract/links/links";
import { PLATFORMS, type Platform } from "@/contract/platforms";
import { isUuid } from "@/core/ids";
import { ROUTED_LENGTH_MAX } from "@/core/routing/facts";

const ROUTE_KINDS: readonly RouteKind[] = ["rule", "split", "store", "default"];

export interface ClickRecord {
  kind: "click" | "open";
  /** The id is a UUIDv7. */
  id: string;
  /** Unix milliseconds. */
  at: number;
  linkId: string;
  linkVersion: number;
  orgId: string;
  route: RouteKind;
  ruleIndex: number | null;
  splitKey: string | null;
  isHead: boolean;
  isPrefetch: boolean;
  /** Empty where the request has none, as the headers below. */
  address: string;
  userAgent: string;
  acceptLanguage: string;
  referrer: string;
  /** The query is raw, without `?`. */
  query: string;
  /** What an app calls its visitor when it resolves a link. */
  visitorId?: string;
  /** What an app says it runs on; goes before the User-Agent. */
  platform?: Platform;
  /** Holds the apps that the link offered then, as `core/routing/store` writes them. */
  offeredApps?: string;
  /** What a browser's client hints come to (`hintsOf`). Absent where it sends none, and in spools of former releases. */
  hints?: string;
  /** What the link's rules asked of the request, as `core/rules/asks` keeps it. */
  asked?: string;
}

/** Longer headers are cut: nothing is read out of what follows. */
const LENGTH_MAX = {
  splitKey: 64,
  address: 64,
  userAgent: ROUTED_LENGTH_MAX.userAgent,
  acceptLanguage: ROUTED_LENGTH_MAX.acceptLanguage,
  referrer: ROUTED_LENGTH_MAX.referrer,
  query: 2048,
  visitorId: 256,
  platform: 16,
  offeredApps: 320,
  hints: 8,
  asked: 1_536,
} as const;

/** Cannot stand in a header; where a caller smuggles one in, it becomes a space. */
const SEPARATOR = "\x1f";
const SEPARATOR_BYTE = 0x1f;
const FIELDS_MIN = 16;
/** The last are written as far as they say something. */
const FIELDS_MAX = 19;
const HEAD = 1;
const PREFETCH = 2;
const OPEN = 4;
const FLAGS_MAX = HEAD | PREFETCH | OPEN;
/** The end of the year 9999: past it, dates have another shape. */
const AT_MAX = 253_402_300_799_999;
const VERSION_MAX = 2_147_483_647;
const RULE_INDEX_MAX = 32_767;

/** No record is longer: a character takes at most three bytes, and what has no bound here is ours and short. */
export const RECORD_BYTES_MAX = 1_024 + 3 * Object.values(LENGTH_MAX).reduce((sum, length) => sum + length, 0);

/**
 * Writes the record at the beginning of `into`, which has room for `RECORD_BYTES_MAX`, and returns where it ends. A text of
 * all fields would be copied once more, and would be as much memory as all else of a visit.
 */
export function writeRecord(record: ClickRecord, into: Buffer): number {
  const { id, at, linkId, linkVersion, orgId, route, ruleIndex } = record;
  const { visitorId = "", platform = "", offeredApps = "", hints = "", asked = "" } = record;
  const flags = (record.isHead ? HEAD : 0) | (record.isPrefetch ? PREFETCH : 0) | (record.kind === "open" ? OPEN : 0);
  // The separator stands here as an escape.
  const ours = `${flags}\x1f${id}\x1f${at}\x1f${linkId}\x1f${linkVersion}\x1f${orgId}\x1f${route}\x1f${ruleIndex ?? ""}`;
  let end = into.write(ours);
  end = writeField(into, end, record.splitKey ?? "", LENGTH_MAX.splitKey);
  end = writeField(into, end, record.address, LENGTH_MAX.address);
  end = writeField(into, end, record.userAgent, LENGTH_MAX.userAgent);
  end = writeField(into, end, record.acceptLanguage, LENGTH_MAX.acceptLanguage);
  end = writeField(into, end, record.referrer, LENGTH_MAX.referrer);
  end = writeField(into, end, record.query, LENGTH_MAX.query);
  end = writeField(into, end, visitorId, LENGTH_MAX.visitorId);
  end = writeField(into, end, platform, LENGTH_MAX.platform);
  if (offeredApps || hints || asked) end = writeField(into, end, offeredApps, LENGTH_MAX.offeredApps);
  if (hints || asked) end = writeField(into, end, hints, LENGTH_MAX.hints);
  return asked ? writeField(into, end, asked, LENGTH_MAX.asked) : end;
}

/** With the separator before it. */
function writeField(into: Buffer, at: number, text: string, lengthMax: number): number {
  into[at] = SEPARATOR_BYTE;
  return text === "" ? at + 1 : at + 1 + into.write(plain(text, lengthMax), at + 1);
}

/** The record as a line by itself. */
export function encodeRecord(record: ClickRecord): string {
  const bytes = Buffer.allocUnsafe(RECORD_BYTES_MAX);
  return bytes.toString("utf8", 0, writeRecord(record, bytes));
}

/** Undefined for a line that `encodeRecord` cannot have written of a sound record. */
export function decodeRecord(line: string): ClickRecord | undefined {
  const fields = line.split(SEPARATOR);
  if (fields.length < FIELDS_MIN || fields.length > FIELDS_MAX) return undefined;
  if (fields.length > FIELDS_MIN && fields.at(-1) === "") return undefined;
  const [flagsText = "", id = "", atText = "", linkId = "", version = "", orgId = "", route = "", rule = ""] = fields;
  const platform = fields[15] ?? "";
  const flags = wholeNumber(flagsText, FLAGS_MAX);
  const at = wholeNumber(atText, AT_MAX);
  const linkVersion = wholeNumber(version, VERSION_MAX);
  const ruleIndex = rule === "" ? null : wholeNumber(rule, RULE_INDEX_MAX);
  if (flags === undefined || at === undefined || linkVersion === undefined || ruleIndex === undefined) return undefined;
  if (!isUuid(id) || !isUuid(linkId) || !isUuid(orgId)) return undefined;
  if (!isRouteKind(route) || !(platform === "" || isPlatform(platform))) return undefined;
  return {
    kind: flags & OPEN ? "open" : "click",
    id,
    at,
    linkId,
    linkVersion,
    orgId,
    route,
    ruleIndex,
    splitKey: fields[8] || null,
    isHead: (flags & HEAD) !== 0,
    isPrefetch: (flags & PREFETCH) !== 0,
    address: fields[9] ?? "",
    userAgent: fields[10] ?? "",
    acceptLanguage: fields[11] ?? "",
    referrer: fields[12] ?? "",
    query: fields[13] ?? "",
    visitorId: fields[14] || undefined,
    platform: platform || undefined,
    offeredApps: fields[16] || undefined,
    hints: fields[17] || undefined,
    asked: fields[18] || undefined,
  };
}

function plain(text: string, lengthMax: number): string {
  const cut = text.length > lengthMax ? text.slice(0, lengthMax) : text;
  return cut.includes(SEPARATOR) ? cut.replaceAll(SEPARATOR, " ") : cut;
}

const WHOLE = /^\d{1,15}$/;

function wholeNumber(text: string, max: number): number | undefined {
  const value = WHOLE.test(text) ? Number(text) : max + 1;
  return value <= max ? value : undefined;
}

const isRouteKind = (text: string): text is RouteKind => ROUTE_KINDS.some((kind) => kind === text);
const isPlatform = (text: string): text is Platform => PLATFORMS.some((platform) => platform === text);
