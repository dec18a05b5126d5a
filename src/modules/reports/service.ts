/** Saves, updates, deletes and exports reports. A relative period ends at the time of the export. */
import {
  REPORTS_MAX,
  type Report,
  type ReportFilters,
  type ReportInput,
  type ReportUpdate,
} from "@/contract/analytics/reports";
import { SERIES_METRICS } from "@/contract/analytics/series";
import { changesOf } from "@/core/changes";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { awaitAllFaults } from "@/http/body/combined-faults";
import { conflict, HttpError, notFound } from "@/http/errors";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { pagingOf } from "@/http/page";
import type { AnalyticsService, SeriesExport } from "@/modules/analytics/service";
import { recordAudit } from "@/modules/audit-logs/service";
import { replayAnswer, transactOnce } from "@/modules/idempotency/service";
import type { Clock } from "@/platform/clock";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import { presentFields, presentReport } from "./present";
import * as store from "./store";
import { checkedFilters, queryAt, reportFiltersOf } from "./validate";

export interface ReportOptions {
  db: Db;
  clock: Clock;
  analytics: Pick<AnalyticsService, "checkFilters" | "exportSeries">;
}

export type ReportService = ReturnType<typeof createReportService>;

export function createReportService(options: ReportOptions) {
  const { db, clock, analytics } = options;
  return {
    async list({ orgId }: Tenant, page: number, limit: number) {
      const { rows, total } = await store.listReports(db, orgId, page, limit);
      return { reports: rows.map(presentReport), ...pagingOf(page, limit, total) };
    },

    /** Throws 400 for invalid fields, 404 for an unknown link or domain, 409 when the limit of reports is reached. */
    async create(tenant: Tenant, input: ReportInput, once?: KeyedRequest): Promise<Report> {
      const replayed = await replayAnswer<Report>(db, tenant.orgId, once);
      if (replayed) return replayed;
      const values = await newValues(options, tenant, input);
      return transactOnce(db, tenant.orgId, once, async (tx) => {
        await takeLock(tx, tenant.orgId, "reports");
        if ((await store.countReports(tx, tenant.orgId)) >= REPORTS_MAX) throw tooManyReports();
        const made = { id: Bun.randomUUIDv7(), createdBy: tenant.actor.id, ...stamps(clock()) };
        const row = await store.insertReport(tx, tenant.orgId, { ...made, ...values });
        await recordAudit(tx, tenant, { ...audited("create", row.id), changes: changesOf({}, presentFields(row)) });
        return presentReport(row);
      });
    },

    /** Throws for these fields as `create` and `update` would. */
    async check(tenant: Tenant, input: ReportUpdate): Promise<void> {
      await ownFilters(options, tenant.orgId, input);
    },

    /** Keeps absent fields; null clears. Throws 400 for invalid fields, 404 for an unknown report, link or domain. */
    async update(tenant: Tenant, id: string, input: ReportUpdate): Promise<Report> {
      await existing(db, tenant.orgId, id);
      const filters = await ownFilters(options, tenant.orgId, input);
      const values: Partial<store.ReportValues> = {
        ...(input.name !== undefined && { name: input.name.trim() }),
        ...(input.description !== undefined && { description: input.description }),
        ...(input.filters !== undefined && { filters }),
        ...(input.metrics !== undefined && { metrics: input.metrics ?? [...SERIES_METRICS] }),
      };
      return db.transaction(async (tx) => {
        const before = await store.lockReport(tx, tenant.orgId, id);
        if (!before) throw notFound("report");
        const changes = changesOf(presentFields(before), presentFields({ ...before, ...values }));
        if (Object.keys(changes).length === 0) return presentReport(before);
        const after = await store.updateReport(tx, tenant.orgId, before.id, values, new Date(clock()));
        await recordAudit(tx, tenant, { ...audited("update", before.id), changes });
        return presentReport(after);
      });
    },

    /** Throws 404 for an unknown report. */
    async remove(tenant: Tenant, id: string) {
      const { id: _id } = await existing(db, tenant.orgId, id);
      await db.transaction(async (tx) => {
        const row = await store.deleteReport(tx, tenant.orgId, _id);
        if (!row) throw notFound("report");
        await recordAudit(tx, tenant, { ...audited("delete", _id), changes: changesOf(presentFields(row), {}) });
      });
      return { _id, deleted: true as const };
    },

    /** Throws 404, and 400 for a range without a fixed end that has grown too long since the report was saved. */
    async export({ orgId }: Tenant, id: string): Promise<SeriesExport> {
      const { name, filters, metrics } = await existing(db, orgId, id);
      return analytics.exportSeries(orgId, queryAt(filters, clock()), { name, metrics });
    },
  };
}

const newValues = async (
  options: ReportOptions,
  { orgId }: Tenant,
  input: ReportInput,
): Promise<store.ReportValues> => ({
  name: input.name.trim(),
  description: input.description ?? null,
  filters: await ownFilters(options, orgId, input),
  metrics: input.metrics ?? [...SERIES_METRICS],
});

async function ownFilters(
  { clock, analytics }: ReportOptions,
  orgId: OrgId,
  input: ReportUpdate,
): Promise<ReportFilters> {
  const [filters] = await awaitAllFaults([
    Promise.try(() => checkedFilters(input, clock())),
    analytics.checkFilters(orgId, reportFiltersOf(input.filters ?? {})).catch(inFilters),
  ]);
  return filters;
}

async function existing(db: Db, orgId: OrgId, id: string): Promise<store.ReportRow> {
  const row = isUuid(id) ? await store.findReport(db, orgId, id) : undefined;
  if (!row) throw notFound("report");
  return row;
}

function inFilters(error: unknown): never {
  if (!(error instanceof HttpError)) throw error;
  const details = error.details?.map((detail) => `filters.${detail}`);
  throw new HttpError(error.status, error.message, details);
}

const stamps = (now: number) => ({ createdAt: new Date(now), updatedAt: new Date(now) });

const audited = (verb: string, resourceId: string) => ({
  action: `report.${verb}`,
  resourceType: "report",
  resourceId,
});

const tooManyReports = () =>
  conflict(`This organization has reached its limit of ${REPORTS_MAX} reports; delete one to create another`);
