/** What figures are read from. */
import type { Sql } from "postgres";
import type { PartialHours } from "./edges";
import type { Installs } from "./installs";
import type { PackedFigures } from "./packed";

export interface FigureSources extends Bounds {
  sql: Sql;
  packed: PackedFigures;
  edges: PartialHours;
  installs: Installs;
}

/** Set by tests; each has a default where it is used. */
export interface Bounds {
  /** Up to how many clicks filters look at. */
  lookedAtMax?: number;
  /** Up to how many figures of links are summed up by tag. */
  summedRowsMax?: number;
}
