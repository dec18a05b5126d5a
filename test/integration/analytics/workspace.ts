/** Analytics over a database of the test file's own, at a fixed time, with organizations to fill with visits. */
import { expect } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createDatabase } from "@test/support/servers/postgres";
import { ClickDatabase } from "@/clicks/writer/click-database";
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import { AnalyticsOverview, OverviewAnswer } from "@/contract/analytics/overview";
import type { OrgId } from "@/core/ids";
import { createFigureCaches, type FigureCaches } from "@/figures/read/figure-caches";
import { HttpError } from "@/http/errors";
import { type AnalyticsOptions, createAnalytics } from "@/modules/analytics/service";
import { Copies } from "@/platform/db/copies";
import { createDomain, createLink, createOrganization, record, type Visit } from "./recorded";

export const NOW = Date.parse("2026-11-21T12:30:00Z");

/** A visit to the workspace's organization, and to its link unless another is given. */
export type OwnVisit = Omit<Visit, "org" | "link"> & { link?: string };

type Bounds = Pick<AnalyticsOptions, "lookedAtMax" | "lookedUpMax" | "summedRowsMax" | "rawMax"> &
  Partial<Pick<FigureCaches, "columns">>;

export async function openAnalytics() {
  const database = await createDatabase();
  const options = { sql: database.sql, clock: () => NOW };
  const copies = new Copies();
  const analytics = createAnalytics({ ...options, kept: createFigureCaches(copies) });
  const bounded = ({ columns, ...bounds }: Bounds) => {
    if (Object.values({ columns, ...bounds }).every((bound) => bound === undefined)) return analytics;
    const kept = createFigureCaches(copies);
    return createAnalytics({ ...options, ...bounds, kept: { ...kept, columns: columns ?? kept.columns } });
  };
  const writing = new ClickDatabase(database.url);
  let made = 0;

  /** Creates an organization with a link. `overview` reads its figures and checks them against the contract. */
  async function workspace() {
    const { org, domain } = await createOrganization(database, `org-${++made}`);
    const link = await createLink(database, org, domain);
    return {
      org,
      link,
      domain,
      addLink: (deletedAt?: Date, ofDomain = domain) => createLink(database, org, ofDomain, deletedAt),
      addDomain: () => createDomain(database, org, `org-${++made}`),
      record(visits: OwnVisit[]) {
        const complete = visits.map((visit) => ({ org, link, ...visit }));
        return record(database, writing, complete);
      },
      async overview(query: AnalyticsQuery = {}) {
        const overview = await analytics.overview(org as OrgId, query);
        expect([...Value.Errors(AnalyticsOverview, overview)]).toEqual([]);
        return overview;
      },
      /** Reads with its own limits on how many clicks filters examine. */
      async filtered(query: Parameters<typeof analytics.filtered>[1], lookedAtMax?: number, lookedUpMax?: number) {
        const answer = await bounded({ lookedAtMax, lookedUpMax }).filtered(org as OrgId, query);
        expect([...Value.Errors(OverviewAnswer, answer)]).toEqual([]);
        return answer;
      },
      breakdown: (query: Parameters<typeof analytics.breakdown>[1], bounds: Bounds = {}) =>
        bounded(bounds).breakdown(org as OrgId, query),
      bounded,
    };
  }

  async function close() {
    await writing.close();
    await database.drop();
  }

  return { workspace, sql: database.sql, url: database.url, database, writing, close };
}

export async function failureOf(promise: Promise<unknown>): Promise<HttpError> {
  const failure = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof HttpError)) throw new Error(`expected an HttpError, got ${failure}`);
  return failure;
}
