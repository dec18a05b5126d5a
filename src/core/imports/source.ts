/** What is known of another service: how its records are told from others', what they become, and where its links led. */
import type { ImportSource } from "@/contract/links/imports";
import type { CheckedVisitor, OldRecord, OldRoute } from "./old-link";
import type { SourceRecord } from "./record";

export interface LinkOrigin {
  name: ImportSource;
  /** As its users call it. */
  title: string;
  /** Fields of its CSV with what their columns may be called, in lower-case letters; none where it has no CSV. */
  columns?: Readonly<Record<string, readonly string[]>>;
  /** Fields by which a CSV is known to be its. */
  signs?: readonly string[];
  /** Fields that a CSV must have which is said to be its; the signs where there are none. */
  needs?: readonly string[];
  /** Finds a field in a header as it is written, before synonyms are tried. */
  fieldOf?(header: string): string | undefined;
  /** The fields by their columns, where a header of so many columns is always the same. */
  positions?: readonly string[];
  /** Whether an object of JSON is one of its links. */
  isItem?(item: SourceRecord): boolean;
  read(record: SourceRecord): OldRecord;
  /** Where it sends a visitor. */
  routeOf(record: SourceRecord, visitor: CheckedVisitor): OldRoute;
}

/** A source that has only the one destination of a link. */
export const leadsTo = (url: string | undefined): OldRoute => (url === undefined ? null : { url });
