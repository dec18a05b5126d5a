/**
 * Figures counted by plain SQL from the raw rows, as the documentation defines them, and without anything that the
 * service counts with.
 */
import type { Fragment, Sql } from "postgres";

export interface Asked {
  from: number;
  to: number;
  includeBots: boolean;
  filters: Record<string, string[]>;
}

const BLANKS = {
  direct: ["referrer"],
  none: ["utmSource", "utmMedium", "utmCampaign", "utmTerm", "utmContent", "rule", "split"],
};
const blankOf = (name: string) =>
  BLANKS.direct.includes(name) ? "direct" : BLANKS.none.includes(name) ? "none" : "unknown";

/** Columns of clicks by the name of their dimension. */
const COLUMNS: Record<string, string> = {
  ...{ country: "country", region: "region", city: "city", device: "device_type", browser: "browser", os: "os" },
  ...{ referrer: "referrer", language: "language", utmSource: "utm_source", utmMedium: "utm_medium" },
  ...{ utmCampaign: "utm_campaign", utmTerm: "utm_term", utmContent: "utm_content" },
  ...{ rule: "coalesce(rule_number, rule_index)::text", split: "split_key", destination: "destination_url" },
  domain: "(select hostname from domains where domains.id = clicks.domain_id)",
};
export const DIMENSIONS = Object.keys(COLUMNS);

const valueSql = (name: string) => `coalesce(nullif(${COLUMNS[name]}, ''), '${blankOf(name)}')`;

const OF_LINKS: Record<string, string> = {
  linkId: "clicks.link_id = any($values::uuid[])",
  domainId: "clicks.domain_id = any($values::uuid[])",
  tag: `exists (select 1 from links where links.id = clicks.link_id and deleted_at is null and links.tags && $values::text[])`,
};

const literal = (values: readonly string[]) => `array[${values.map((value) => `'${value.replaceAll("'", "''")}'`)}]`;

export function plainSql(sql: Sql, orgId: string) {
  const within = ({ from, to }: Asked, column: string) => sql`
    org_id = ${orgId} and ${sql(column)} >= ${new Date(from)} and ${sql(column)} < ${new Date(to)}`;
  const counts = ({ includeBots }: Asked) => sql`
    coalesce(verdict, '') <> 'confirmed' ${includeBots ? sql`` : sql`and is_bot is not true`}`;
  const ofLink = ({ filters: { linkId } }: Asked) => (linkId ? sql`and link_id = any(${linkId}::uuid[])` : sql``);
  const condition = ([name, values]: [string, string[]]) =>
    OF_LINKS[name]?.replace("$values", literal(values)) ?? `${valueSql(name)} = any(${literal(values)})`;
  const clicks = (asked: Asked): Fragment => sql`
    (select clicks.* from clicks where ${within(asked, "occurred_at")} and ${counts(asked)}
     ${sql.unsafe(
       Object.entries(asked.filters)
         .map((each) => `and ${condition(each)}`)
         .join(" "),
     )}) as clicks`;
  const opens = (asked: Asked) => sql`
    (select * from opens where ${within(asked, "occurred_at")} and ${counts(asked)} ${ofLink(asked)}) as opens`;

  return {
    async totals(asked: Asked) {
      const [row] = await sql<{ clicks: number; visitors: number }[]>`
        select count(*)::int as clicks, count(distinct visitor)::int as visitors from ${clicks(asked)}`;
      return row ?? { clicks: 0, visitors: 0 };
    },
    /** By the start of the hour or day. */
    async series(asked: Asked, unit: "hour" | "day") {
      const start = (column: string) =>
        sql`(extract(epoch from date_trunc(${unit}, ${sql(column)} at time zone 'UTC') at time zone 'UTC') * 1000)::float8`;
      const [ofClicks, ofOpens, ofLeads, ofEvents] = await Promise.all([
        sql<{ at: number; clicks: number; visitors: number }[]>`
          select ${start("occurred_at")} as at, count(*)::int as clicks, count(distinct visitor)::int as visitors
          from ${clicks(asked)} group by 1`,
        sql<{ at: number; opens: number; installs: number }[]>`
          select ${start("occurred_at")} as at, count(*)::int as opens,
            count(*) filter (where source = 'deferred')::int as installs from ${opens(asked)} group by 1`,
        sql<{ at: number; leads: number }[]>`
          select ${start("created_at")} as at, count(*)::int as leads from leads
          where ${within(asked, "created_at")} and ${counts(asked)} ${ofLink(asked)} group by 1`,
        sql<{ at: number; events: number; eventValue: number }[]>`
          select ${start("occurred_at")} as at, count(*)::int as events, coalesce(sum(value), 0)::float8 as "eventValue"
          from events where ${within(asked, "occurred_at")} ${ofLink(asked)} group by 1`,
      ]);
      const all = new Map<number, Record<string, number>>();
      for (const row of [...ofClicks, ...ofOpens, ...ofLeads, ...ofEvents])
        all.set(row.at, { ...all.get(row.at), ...row });
      return all;
    },
    /** Clicks by value. */
    async by(asked: Asked, name: string) {
      const rows =
        name === "tag"
          ? await sql<{ value: string; count: number }[]>`
              select tag as value, count(*)::int as count from ${clicks(asked)}
              join links on links.id = clicks.link_id and deleted_at is null, unnest(links.tags) as tag group by 1`
          : name === "hourOfWeek"
            ? await sql<{ value: string; count: number }[]>`
                select ((extract(isodow from occurred_at at time zone 'UTC') - 1) * 24
                  + extract(hour from occurred_at at time zone 'UTC'))::int::text as value, count(*)::int as count
                from ${clicks(asked)} group by 1`
            : await sql<{ value: string; count: number }[]>`
                select ${sql.unsafe(valueSql(name))} as value, count(*)::int as count from ${clicks(asked)} group by 1`;
      return new Map(rows.map(({ value, count }) => [value, count]));
    },
    async opensBy(asked: Asked, column: "source" | "platform") {
      const rows = await sql<{ value: string; count: number }[]>`
        select ${sql(column)} as value, count(*)::int as count from ${opens(asked)} group by 1`;
      return new Map(rows.map(({ value, count }) => [value, count]));
    },
    async eventsByName(asked: Asked) {
      return [
        ...(await sql<{ name: string; count: number; value: number }[]>`
        select name, count(*)::int as count, coalesce(sum(value), 0)::float8 as value from events
        where ${within(asked, "occurred_at")} ${ofLink(asked)}
        group by 1 order by count desc, name collate "C" limit 10`),
      ];
    },
    /** Links without bio pages. */
    async topLinks(asked: Asked, limit: number) {
      return [
        ...(await sql<{ linkId: string; clicks: number; visitors: number }[]>`
        select link_id as "linkId", count(*)::int as clicks, count(distinct visitor)::int as visitors
        from ${clicks(asked)} where link_id not in (select link_id from bio_pages where org_id = ${orgId})
        group by 1 order by 2 desc, 1 desc limit ${limit}`),
      ];
    },
    async clickIds(asked: Asked, platform?: string) {
      const rows = await sql<{ id: string }[]>`
        select id from ${clicks(asked)} ${platform ? sql`where platform = ${platform}` : sql``}
        order by occurred_at desc, id desc`;
      return rows.map(({ id }) => id);
    },
    /** Messages to webhooks by event: bots' clicks and opens cause none. */
    async messages() {
      const [row] = await sql<Record<string, number>[]>`
        select (select count(*) from clicks where org_id = ${orgId} and is_bot is not true)::int as click,
          (select count(*) from opens where org_id = ${orgId} and is_bot is not true)::int as "link.opened",
          (select count(*) from opens where org_id = ${orgId} and source = 'deferred')::int as "link.matched",
          (select count(*) from events where org_id = ${orgId})::int as "custom.event"`;
      return new Map(Object.entries(row ?? {}));
    },
    /** The times of all leads by link, newest first. */
    async leads() {
      const rows = await sql<{ linkId: string; at: number }[]>`
        select link_id as "linkId", (extract(epoch from leads.created_at) * 1000)::float8 as at from leads
        join links on links.id = link_id and deleted_at is null where leads.org_id = ${orgId}
        order by leads.created_at desc, leads.id desc`;
      const byLink = Map.groupBy(rows, ({ linkId }) => linkId);
      return new Map([...byLink].map(([linkId, own]) => [linkId, own.map(({ at }) => at)]));
    },
    /** The id of a visitor with many clicks. */
    async busyVisitor() {
      const [row] = await sql<{ id: string }[]>`
        select lpad(to_hex(visitor), 16, '0') as id from clicks where org_id = ${orgId} and is_bot = false
        group by visitor order by count(*) desc, visitor offset 3 limit 1`;
      return row?.id;
    },
    /** People's clicks of all time, with the last one. */
    async counters() {
      return [
        ...(await sql<{ linkId: string; clicks: number; lastAt: number }[]>`
        select links.id as "linkId", count(clicks.id)::int as clicks,
          coalesce(extract(epoch from max(occurred_at)) * 1000, 0)::float8 as "lastAt"
        from links left join clicks on clicks.link_id = links.id and coalesce(verdict, '') <> 'confirmed' and is_bot = false
        where links.org_id = ${orgId} and links.deleted_at is null and kind = 'link'
        group by 1`),
      ];
    },
  };
}

export type PlainSql = ReturnType<typeof plainSql>;
