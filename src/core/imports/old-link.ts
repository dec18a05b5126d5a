/** What a link was at another service, as far as it can become one of ours. Pure data; nothing here is checked by our rules. */
import type { AndroidApp, IosApp } from "@/contract/apps";
import type { LinkInput } from "@/contract/links/links";

/** Something that cannot come along, and why; `field` by its name at the source. */
export interface DroppedField {
  field: string;
  why: string;
}

/** Where it stood; null for a host that the source does not tell. The path has no slash at its ends. */
export interface OldAddress {
  host: string | null;
  path: string;
}

export type OldLinkFields = Omit<LinkInput, "domainId" | "slug" | "pathPrefix" | "appProfileId">;

export interface OldApp {
  ios?: IosApp;
  android?: AndroidApp;
}

export interface OldLink {
  /** Null for a link that never had one: its slug is made. */
  address: OldAddress | null;
  fields: OldLinkFields;
  /** Further ones, of which nothing but the schema can tell whether they are sound. */
  others?: Readonly<Record<string, unknown>>;
  app: OldApp | null;
  /** Unix milliseconds. */
  createdAt: number | null;
  clicksBefore: number | null;
  dropped: DroppedField[];
}

/** A record of the source: its links (Bitly gives one several addresses), or why there is none. */
export type OldRecord = { links: OldLink[] } | { refused: string; address: string };

/** Visitors that a check tells apart. */
export interface CheckedVisitor {
  platform: "ios" | "android" | "desktop";
  isBot: boolean;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** Unix milliseconds. */
  at: number;
}

/** Where the source sends a visitor, by its own rules; null where those cannot be told from what it exports. */
export type OldRoute = { url: string } | { store: "play" | "app_store"; id: string } | { ended: true } | null;
