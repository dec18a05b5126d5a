/**
 * Writes visits as the click writer does: the rows themselves, the rollups of their hour, and the sketches of their link
 * and organization, each under the writer that saw the visit.
 */

import type { TestDatabase } from "@test/support/postgres";
import {
  addHash,
  createSketch,
  encodeSketch,
  LINK_PRECISION,
  ORGANIZATION_PRECISION,
  type Sketch,
} from "@/core/uniques";
import { domains, links, organizations } from "@/platform/db/schema";
import {
  clicks,
  opens,
  ROLLUP_DIMENSIONS,
  type RollupDimension,
  type RollupMetric,
  rollupsHourly,
  visitorSketches,
  WHOLE_ORGANIZATION,
} from "@/platform/db/schema/clicks";

export interface Visit {
  /** Of an open; a visit without is a click. */
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
}

export async function createOrganization({ db }: TestDatabase, slug: string) {
  const [org, domain] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  await db.insert(organizations).values({ id: org, name: slug, slug, plan: "unlimited" });
  await db.insert(domains).values({
    id: domain,
    orgId: org,
    hostname: `${slug}.example.com`,
    isVerified: true,
  });
  return { org, domain };
}

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
  return link;
}

export async function record({ db }: TestDatabase, visits: Visit[]): Promise<void> {
  const rows = visits.map(rawRow);
  const clickRows = rows.filter((row) => row.source === undefined);
  const openRows = rows.flatMap((row) => (row.source === undefined ? [] : [{ ...row, source: row.source }]));
  if (clickRows.length > 0) await db.insert(clicks).values(clickRows);
  if (openRows.length > 0) await db.insert(opens).values(openRows);
  await db.insert(rollupsHourly).values(rollupRows(visits));
  const sketches = sketchRows(visits);
  if (sketches.length > 0) await db.insert(visitorSketches).values(sketches);
}

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
    routeKind: "default" as const,
    destinationUrl: "https://example.com/",
    isBot: visit.isBot ?? false,
    botReasons: [],
    spamScore: 0,
  };
}

type RollupRow = typeof rollupsHourly.$inferInsert;

function rollupRows(visits: Visit[]) {
  const rows = new Map<string, RollupRow>();
  for (const visit of visits) {
    for (const [dimension, value] of dimensionsOf(visit)) {
      const { org: orgId, link: linkId, writer = 1 } = visit;
      const row = { orgId, linkId, hour: hourOf(visit), metric: metricOf(visit), dimension, value, writer, count: 0 };
      const key = JSON.stringify(row);
      const known = rows.get(key) ?? row;
      rows.set(key, { ...known, count: known.count + 1 });
    }
  }
  return [...rows.values()];
}

function metricOf({ source, isBot }: Visit): RollupMetric {
  if (source === undefined) return isBot ? "bot_clicks" : "clicks";
  return isBot ? "bot_opens" : "opens";
}

function dimensionsOf(visit: Visit): [RollupDimension, string][] {
  const platform = visit.platform ?? "other";
  if (visit.source !== undefined) {
    return [
      ["total", ""],
      ["platform", platform],
      ["source", visit.source],
    ];
  }
  const values = { ...visit, total: "", platform };
  const ofClicks = ROLLUP_DIMENSIONS.filter((dimension) => dimension !== "source");
  return ofClicks.map((dimension) => [dimension, values[dimension] ?? ""]);
}

function sketchRows(visits: Visit[]) {
  const found = new Map<string, { row: Omit<typeof visitorSketches.$inferInsert, "sketch">; sketch: Sketch }>();
  for (const visit of visits.filter((visit) => visit.source === undefined)) {
    for (const linkId of [visit.link, WHOLE_ORGANIZATION]) {
      const row = {
        orgId: visit.org,
        linkId,
        hour: hourOf(visit),
        isBot: visit.isBot ?? false,
        writer: visit.writer ?? 1,
      };
      const key = JSON.stringify(row);
      const precision = linkId === WHOLE_ORGANIZATION ? ORGANIZATION_PRECISION : LINK_PRECISION;
      const entry = found.get(key) ?? { row, sketch: createSketch(precision) };
      addHash(entry.sketch, visit.visitor);
      found.set(key, entry);
    }
  }
  return [...found.values()].map(({ row, sketch }) => ({ ...row, sketch: encodeSketch(sketch) }));
}

function hourOf({ at }: Visit): Date {
  const hour = new Date(at);
  hour.setUTCMinutes(0, 0, 0);
  return hour;
}
