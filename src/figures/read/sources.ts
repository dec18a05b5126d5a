/** What figures are read from. */
import type { Sql } from "postgres";
import type { KeptFigures } from "./kept-figures";

export interface FigureSources
  extends Bounds,
    Pick<KeptFigures, "packed" | "partialHours" | "installs" | "texts" | "columns"> {
  sql: Sql;
}

/** Set by tests; each has a default where it is used. */
export interface Bounds {
  /** Up to how many clicks filters look at. */
  lookedAtMax?: number;
  /** Up to how many of them are put in columns when they are asked for; past that Postgres counts. */
  rawMax?: number;
  /** Up to how many links of a filter are looked up one by one. */
  lookedUpMax?: number;
  /** Up to how many figures of links are summed up by tag. */
  summedRowsMax?: number;
}
