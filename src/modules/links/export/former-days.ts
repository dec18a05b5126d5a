/** The days of the clicks that imported links had before. */
import type { OrgId } from "@/core/ids";
import { fitDays } from "@/core/imports/clicks-by-day";
import type { ClicksByDay } from "@/core/imports/old-link";
import type { Drizzle } from "@/platform/db/client";
import { statementsOn } from "@/platform/db/statements";

interface FormerLink {
  id: string;
  clicksBefore: number | null;
}

/** Returns, by link, the days that the latest import with some has brought. */
export async function formerDaysOf(
  db: Drizzle,
  orgId: OrgId,
  links: readonly FormerLink[],
): Promise<Map<string, ClicksByDay>> {
  const clicks = new Map(links.flatMap(({ id, clicksBefore }) => (clicksBefore ? [[id, clicksBefore]] : [])));
  if (clicks.size === 0) return new Map();
  const rows = await statementsOn(db).run<{ link_id: string; by_day: ClicksByDay }>(
    `select former.link_id, (select json_object_agg(day, count order by day) from unnest(days, counts) as each(day, count)) as by_day
     from json_array_elements_text($2::text::json) as wanted(id)
     cross join lateral (select link_id, days, counts from former_click_days
       where link_id = wanted.id::uuid and org_id = $1 order by import_id desc limit 1) as former`,
    [orgId, JSON.stringify([...clicks.keys()])],
  );
  return new Map(
    rows.flatMap(({ link_id, by_day }) => {
      const { byDay } = fitDays(by_day, clicks.get(link_id) ?? 0, Number.POSITIVE_INFINITY);
      return byDay ? [[link_id, byDay] as const] : [];
    }),
  );
}
