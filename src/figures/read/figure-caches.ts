/**
 * What is cached in memory between reads of figures. There is one set per process, shared by everything that reads
 * figures, whichever Postgres server it reads from. Each cache has its own bounds; a crash loses nothing.
 */
import type { Copies } from "@/platform/db/copies";
import { LoadedDays } from "../columns/loaded-days";
import { Installs } from "./installs";
import { LinkLeaders } from "./links/leaders";
import { LinkVisitors } from "./links/link-visitors";
import { PackedFigures } from "./packed";
import { PartialHours } from "./partial-hours";
import { ValueTexts } from "./value-texts";

export type FigureCaches = ReturnType<typeof createFigureCaches>;

export const createFigureCaches = (copies: Copies) => ({
  packed: new PackedFigures(copies),
  partialHours: new PartialHours(copies),
  installs: new Installs(copies),
  texts: new ValueTexts(copies),
  leaders: new LinkLeaders(copies),
  visitors: new LinkVisitors(copies),
  columns: new LoadedDays(copies),
});
