/** What figures are read from. */
import type { Sql } from "postgres";
import type { FigureCaches } from "./figure-caches";

export interface FigureSources
  extends Bounds,
    Pick<FigureCaches, "packed" | "partialHours" | "installs" | "texts" | "columns"> {
  sql: Sql;
}

/** Set by tests; each has a default where it is used. */
export interface Bounds {
  /** How many clicks filters may examine. */
  lookedAtMax?: number;
  /** How many raw clicks may be put in columns during a request; beyond that, Postgres counts. */
  rawMax?: number;
  /** How many links of a filter are looked up one by one. */
  lookedUpMax?: number;
  /** How many figures of links may be summed by tag. */
  summedRowsMax?: number;
}
