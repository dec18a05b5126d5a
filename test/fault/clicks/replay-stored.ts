/** Routes stored clicks again and counts the results. */
import type { Sql } from "postgres";
import type { CompiledLink } from "@/core/routing/compiled-link";
import { compileServed, replayRoute } from "@/core/routing/replay";
import { CLICK_COLUMNS, type StoredClick } from "@/modules/analytics/stored-clicks";
import { isSame, servedClick, servedLink } from "@/modules/analytics/why";
import { PARAMETERS } from "./replay-dice";

export interface Replayed {
  clicks: number;
  /** Clicks by what decided their destination. */
  rules: number;
  splits: number;
  stores: number;
  defaults: number;
  /** Clicks whose replayed route differs from the stored one. */
  different: number;
  /** Clicks whose link version was not found. */
  unknown: number;
  wrongDestinations: number;
}

interface Revision {
  linkId: string;
  version: number;
  snapshot: Parameters<typeof servedLink>[1]["snapshot"];
}

const PART_ROWS = 5_000;
const SHOWN_MAX = 5;

export async function countReplayed(sql: Sql, sent: ReadonlyMap<string, string>): Promise<Replayed> {
  const revisions = Map.groupBy(
    await sql<Revision[]>`
      select link_id as "linkId", version, snapshot from link_revisions order by link_id, version desc`,
    ({ linkId }) => linkId,
  );
  const compiled = new Map<string, CompiledLink>();
  const found = {
    clicks: 0,
    rules: 0,
    splits: 0,
    stores: 0,
    defaults: 0,
    different: 0,
    unknown: 0,
    wrongDestinations: 0,
  };
  const counterByKind = { rule: "rules", split: "splits", store: "stores", default: "defaults" } as const;
  for await (const rows of sql.unsafe<StoredClick[]>(`select ${CLICK_COLUMNS} from clicks`).cursor(PART_ROWS)) {
    for (const click of rows) {
      found.clicks += 1;
      found[counterByKind[click.routeKind]] += 1;
      if (!isAlike(sent.get(click.id), click)) found.wrongDestinations += 1;
      const { linkId, linkVersion, offeredApps } = click;
      const revision = revisions.get(linkId)?.find(({ version }) => version <= (linkVersion ?? 0));
      if (!revision) {
        found.unknown += 1;
        continue;
      }
      const key = `${linkId} ${revision.version} ${offeredApps}`;
      const link =
        compiled.get(key) ?? compileServed(servedLink(linkId, { ...revision, isBioPage: false }), offeredApps);
      compiled.set(key, link);
      const route = replayRoute(link, servedClick(click));
      if (route && isSame(route, click)) continue;
      found.different += 1;
      if (found.different <= SHOWN_MAX) console.log(JSON.stringify({ click, route, rules: link.definition.rules }));
    }
  }
  return found;
}

/** True if the visitor was sent to the click's destination, apart from the click's id and the visitor's query. */
function isAlike(location: string | undefined, { routeKind, destinationUrl }: StoredClick): boolean {
  // A store's URL contains no click id, so its response cannot be found.
  if (routeKind === "store") return true;
  if (location === undefined) return false;
  const url = new URL(location);
  for (const name of ["wm_cid", ...PARAMETERS]) url.searchParams.delete(name);
  return url.href === destinationUrl;
}
