/**
 * Our own file format for links: its fields, their order and their kinds. CSV and JSON lines are written and read by
 * this one table. A field of a link without a column here is a compile error.
 */
import type { Link, LinkInput } from "@/contract/links/links";
import type { ClicksByDay } from "../imports/old-link";

/**
 * Fields left out of the file: ids that mean nothing on another server (the file has `domain` instead), and `safety`,
 * which the service determines itself.
 */
type LeftOut = "orgId" | "domainId" | "safety";

export interface FileLink extends Omit<Link, LeftOut> {
  /** Hostname of the short URL. */
  domain: string;
  appProfileName?: string;
  /** How many visits count towards `maxClicks`; absent without it. */
  admittedVisits?: number;
  /** Of `clickCount`, those of each UTC day. */
  clickCountByDay?: ClicksByDay;
  /** Of `clicksBefore`, those whose days are known. */
  clicksByDay?: ClicksByDay;
}

/** A password never leaves the service, not even hashed; `passwordProtected` says that there is one. */
type Settable = Exclude<keyof LinkInput, "domainId" | "password">;

type KindOf<Value> = [Value] extends [string]
  ? "text"
  : [Value] extends [boolean]
    ? "flag"
    : [Value] extends [number]
      ? "integer"
      : [Value] extends [string[]]
        ? "names"
        : [Value] extends [unknown[]]
          ? "list"
          : "object";

type Columns = { [Field in keyof Required<FileLink>]: KindOf<Required<FileLink>[Field]> };

export const LINK_COLUMNS = {
  _id: "text",
  shortUrl: "text",
  domain: "text",
  pathPrefix: "text",
  slug: "text",
  title: "text",
  defaultUrl: "text",
  tags: "names",
  isActive: "flag",
  isArchived: "flag",
  externalId: "text",
  notes: "text",
  startsAt: "text",
  expiresAt: "text",
  expiredUrl: "text",
  maxClicks: "integer",
  admittedVisits: "integer",
  passwordProtected: "flag",
  appProfileId: "text",
  appProfileName: "text",
  deepLinkPayload: "object",
  rules: "list",
  splitTargets: "list",
  utm: "object",
  marketing: "object",
  social: "object",
  leadCapture: "object",
  ctaOverlay: "object",
  retargetingPixels: "list",
  importedFrom: "object",
  clickCount: "integer",
  clickCountByDay: "object",
  clicksBefore: "integer",
  clicksByDay: "object",
  createdAt: "text",
  updatedAt: "text",
} as const satisfies Columns & Record<Settable, string>;

export type LinkColumn = keyof typeof LINK_COLUMNS;
export type ColumnKind = (typeof LINK_COLUMNS)[LinkColumn];

/** What a value of each kind is known to be after reading. The contents of lists and objects are still unchecked. */
interface ReadValues {
  text: string;
  flag: boolean;
  integer: number;
  names: string[];
  list: unknown[];
  object: Record<string, unknown>;
}

/** A link as read from a file; fields that the file does not mention are absent. */
export type ReadLink = { [Field in LinkColumn]?: ReadValues[(typeof LINK_COLUMNS)[Field]] };

export const isLinkColumn = (name: string): name is LinkColumn => Object.hasOwn(LINK_COLUMNS, name);

export const linkColumns: readonly LinkColumn[] = Object.keys(LINK_COLUMNS).filter(isLinkColumn);
