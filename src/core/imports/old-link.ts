/** A link at another service, as far as it can become one of ours. Pure data, not yet validated by our rules. */
import type { AndroidApp, IosApp } from "@/contract/apps";
import type { LinkInput } from "@/contract/links/links";

/** Something that cannot be imported, and why. `field` is its name at the source. */
export interface DroppedField {
  field: string;
  why: string;
}

/** Where a link was. The host is null if the source does not state it; the path has no slashes at its ends. */
export interface OldAddress {
  host: string | null;
  path: string;
}

export type OldLinkFields = Omit<LinkInput, "domainId" | "slug" | "pathPrefix" | "appProfileId">;

export interface OldApp {
  ios?: IosApp;
  android?: AndroidApp;
}

/** An app profile of the organization that exported the link. */
export interface NamedProfile {
  id?: string;
  name?: string;
}

export type ClicksByDay = Readonly<Record<string, number>>;

export interface OldLink {
  /** Null for a link that never had one; its slug is generated. */
  address: OldAddress | null;
  fields: OldLinkFields;
  /** More fields, which only the schema can validate. */
  others?: Readonly<Record<string, unknown>>;
  app: OldApp | null;
  /** For our own files, the app profile that the link names. */
  profile?: NamedProfile;
  /** Unix milliseconds. */
  createdAt: number | null;
  clicksBefore: number | null;
  /** Of these, the clicks of each UTC day that the source tells, by `YYYY-MM-DD`. */
  clicksByDay?: ClicksByDay;
  dropped: DroppedField[];
  /** Visits that count towards `maxClicks` already. */
  admittedVisits?: number;
  /** Set for a link that is turned off because its password is unknown: what it says itself. */
  lostPassword?: { isActive: boolean | undefined };
  /** For our own files, the id of the exported link. */
  exportOf?: string;
}

/** The result for one record of the source: its links (Bitly gives a link several addresses), or why there are none. */
export type OldRecord = { links: OldLink[] } | { refused: string; address: string };

/**
 * Where the source sends a visitor under its own rules; null if its export does not tell. `anyOf` are the URLs among
 * which it chooses, each for a share of the visitors.
 */
export type OldRoute =
  | { url: string }
  | { anyOf: string[] }
  | { store: "play" | "app_store"; id: string }
  | { ended: true }
  | null;
