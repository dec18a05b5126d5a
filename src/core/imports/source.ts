/** Describes another service: how to recognize its records, what they become here, and where its links led. */
import type { ImportSource } from "@/contract/links/imports";
import type { OldRecord, OldRoute } from "./old-link";
import type { SourceRecord } from "./record";
import type { AskedRule } from "./visitors/question";
import type { CheckedVisitor } from "./visitors/visitor";

/** Lists of fields, of which one has to be complete. */
export type FieldSets = readonly (readonly string[])[];

export interface LinkOrigin {
  name: ImportSource;
  /** The name its users know. */
  title: string;
  /** CSV fields, each with its possible column names in lower-case letters; absent if the service has no CSV. */
  columns?: Readonly<Record<string, readonly string[]>>;
  /** Fields by which a CSV of this service is recognized: all of one of these lists. */
  signs?: FieldSets;
  /** Fields that a CSV needs if the user states that it is from this service; defaults to `signs`. */
  needs?: FieldSets;
  /** Finds the field of a header as written, before column names are tried. */
  fieldOf?(header: string): string | undefined;
  /** The fields in column order, used if the header has exactly this many columns. */
  positions?: readonly string[];
  /** True if a JSON object is one of the service's links. */
  isItem?(item: SourceRecord): boolean;
  /** `now`, in Unix milliseconds, decides what still applies, such as a test with an end. */
  read(record: SourceRecord, now: number): OldRecord;
  /** Returns where the service sends a visitor. */
  routeOf(record: SourceRecord, visitor: CheckedVisitor): OldRoute;
  /** Returns what the record's rules ask, in the order of evaluation; absent if that is only the device. */
  rulesOf?(record: SourceRecord): AskedRule[];
}

/** For a source whose links have a single destination. */
export const leadsTo = (url: string | undefined): OldRoute => (url === undefined ? null : { url });
