/**
 * Writes visits as the click writer does: the rows themselves and, through the writer's own steps, the counters and
 * figures of their links and organizations, each under the writer that received the visit.
 */
import type { TestDatabase } from "@test/support/servers/postgres";
import { getTableColumns, sql } from "drizzle-orm";
import type { ClickDatabase } from "@/clicks/writer/click-database";
import type { Utm } from "@/contract/routing";
import { FigureStore } from "@/figures/write/figure-store";
import { countersOf } from "@/figures/write/link-counters";
import { type CountedVisit, rollUp } from "@/figures/write/rollup";
import { domains, links, organizations } from "@/platform/db/schema";
import { clicks, opens } from "@/platform/db/schema/clicks";
import { keyOfNumber } from "@/platform/visitor";

export interface Visit {
  /** Where an open came from; a visit without it is a click. */
  source?: "direct" | "deferred";
  at: string;
  org: string;
  link: string;
  visitor: bigint;
  isBot?: boolean;
  writer?: number;
  platform?: string;
  country?: string;
  city?: string;
  device?: string;
  browser?: string;
  os?: string;
  referrer?: string;
  language?: string;
  region?: string;
  utm?: Utm;
  ruleIndex?: number;
  /** Absent if it equals `ruleIndex`. */
  ruleNumber?: number;
  splitKey?: string;
  destination?: string;
}

export async function createOrganization(database: TestDatabase, slug: string) {
  const org = Bun.randomUUIDv7();
  await database.db.insert(organizations).values({ id: org, name: slug, slug, plan: "unlimited" });
  return { org, domain: await createDomain(database, org, slug) };
}

export async function createDomain({ db }: TestDatabase, orgId: string, name: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  await db.insert(domains).values({ id, orgId, hostname: `${name}.example.com`, isVerified: true });
  return id;
}

/** The domain of each link created here, which the writer would know. */
export const domainOfLink = new Map<string, string>();

export async function createLink({ db }: TestDatabase, org: string, domain: string, deletedAt?: Date) {
  const [link, slug] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  await db.insert(links).values({
    id: link,
    orgId: org,
    domainId: domain,
    slug,
    slugKey: slug,
    defaultUrl: "https://example.com/",
    deletedAt,
  });
  domainOfLink.set(link, domain);
  return link;
}

export async function record({ db }: Pick<TestDatabase, "db">, through: ClickDatabase, visits: Visit[]): Promise<void> {
  const rows = visits.map(rawRow);
  const clickRows = rows.filter((row) => row.source === undefined);
  const openRows = rows.filter((row) => row.source !== undefined);
  if (clickRows.length > 0) await insert(db, clicks, clickRows);
  if (openRows.length > 0) await insert(db, opens, openRows);
  for (const [writer, ofWriter] of Map.groupBy(visits, (visit) => visit.writer ?? 1)) {
    await sumUp(through, writer, ofWriter);
  }
}

/**
 * Inserts what the rows have of the table's columns. All rows are one parameter: a statement with a parameter for each
 * value takes long to build and to parse, and has room for 65,535.
 */
async function insert(db: TestDatabase["db"], table: typeof clicks | typeof opens, rows: RawRow[]): Promise<void> {
  const columns = new Map(Object.entries(getTableColumns(table)).map(([key, { name }]) => [key, name]));
  const named = (row: RawRow) =>
    Object.entries(row).flatMap(([key, value]) => {
      const name = columns.get(key);
      return name === undefined ? [] : [[name, typeof value === "bigint" ? String(value) : value]];
    });
  const records = rows.map((row) => Object.fromEntries(named(row)));
  const names = sql.join(
    Object.keys(records[0] ?? {}).map((name) => sql.identifier(name)),
    sql`, `,
  );
  await db.execute(sql`
    insert into ${table} (${names})
    select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(records)}::text::json)`);
}

async function sumUp(through: ClickDatabase, writer: number, visits: Visit[]): Promise<void> {
  const figures = new FigureStore((error) => Promise.reject(error));
  const groups = rollUp(visits.map(countedVisit));
  await through.transaction(async (tx) => {
    await figures.put(tx, writer, groups, countersOf(groups.linkHours));
  });
}

type RawRow = ReturnType<typeof rawRow>;

function rawRow(visit: Visit) {
  return {
    id: Bun.randomUUIDv7(),
    occurredAt: new Date(visit.at),
    orgId: visit.org,
    linkId: visit.link,
    visitor: BigInt.asIntN(64, visit.visitor),
    source: visit.source,
    platform: visit.platform ?? "other",
    deviceType: visit.device,
    browser: visit.browser,
    os: visit.os,
    country: visit.country,
    city: visit.city,
    language: visit.language,
    referrer: visit.referrer,
    region: visit.region,
    utmSource: visit.utm?.source,
    utmMedium: visit.utm?.medium,
    utmCampaign: visit.utm?.campaign,
    utmTerm: visit.utm?.term,
    utmContent: visit.utm?.content,
    routeKind: visit.splitKey === undefined ? ("default" as const) : ("split" as const),
    ruleIndex: visit.ruleIndex,
    ruleNumber: visit.ruleNumber,
    splitKey: visit.splitKey,
    destinationUrl: visit.destination ?? "https://example.com/",
    domainId: domainOfLink.get(visit.link),
    isBot: visit.isBot ?? false,
    botReasons: [],
    spamScore: 0,
  };
}

function countedVisit(visit: Visit): CountedVisit {
  const at = Date.parse(visit.at);
  return {
    record: { kind: visit.source === undefined ? "click" : "open", at, orgId: visit.org, linkId: visit.link },
    hour: new Date(at).setUTCMinutes(0, 0, 0),
    visitor: keyOfNumber(visit.visitor),
    isBot: visit.isBot ?? false,
    platform: visit.platform ?? "other",
    known: {
      facts: {
        record: { splitKey: visit.splitKey },
        ruleNumber: visit.ruleNumber ?? visit.ruleIndex,
        platform: visit.platform ?? "other",
        agent: { deviceType: visit.device, browser: visit.browser, os: visit.os },
        place: { country: visit.country, region: visit.region, city: visit.city },
        language: visit.language ?? "",
        referrer: visit.referrer ?? "",
        utm: visit.utm,
        destinationUrl: visit.destination ?? "https://example.com/",
        domainId: domainOfLink.get(visit.link),
      },
    },
    openSource: visit.source,
  };
}
