/** The days of the clicks that links have been counted here, of people alone like `clickCount`. */
import type { OrgId } from "@/core/ids";
import { fitDays } from "@/core/imports/clicks-by-day";
import type { ClicksByDay } from "@/core/imports/old-link";
import type { Drizzle } from "@/platform/db/client";
import { statementsOn } from "@/platform/db/statements";

interface CountedLink {
  id: string;
  clickCount: number;
}

/** Returns the days by link. They never have more clicks than the link, which may have been counted a moment before. */
export async function countedDaysOf(
  db: Drizzle,
  orgId: OrgId,
  links: readonly CountedLink[],
): Promise<Map<string, ClicksByDay>> {
  const clicks = new Map(links.flatMap(({ id, clickCount }) => (clickCount > 0 ? [[id, clickCount]] : [])));
  if (clicks.size === 0) return new Map();
  const rows = await statementsOn(db).run<{ link_id: string; by_day: ClicksByDay | null }>(
    `select wanted.id as link_id, counted.by_day from json_array_elements_text($2::text::json) as wanted(id)
     cross join lateral (select json_object_agg(day, clicks order by day) as by_day from (
       select timezone('UTC', figures_daily.day)::date as day, sum(clicks) as clicks from figures_daily
       where org_id = $1 and link_id = wanted.id::uuid and is_bot is not true
       group by figures_daily.day having sum(clicks) > 0) as days) as counted`,
    [orgId, JSON.stringify([...clicks.keys()])],
  );
  return new Map(
    rows.flatMap(({ link_id, by_day }) => {
      const { byDay } = fitDays(by_day ?? {}, clicks.get(link_id) ?? 0, Number.POSITIVE_INFINITY);
      return byDay ? [[link_id, byDay] as const] : [];
    }),
  );
}
