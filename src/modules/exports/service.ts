/** Requests, lists, downloads and deletes archives of a whole organization. `work.ts` writes them. */
import { EXPORTS_MAX, type OrganizationExport } from "@/contract/accounts/exports";
import { isUuid, type Tenant } from "@/core/ids";
import { conflict, notFound } from "@/http/errors";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { pagingOf } from "@/http/page";
import { recordAudit } from "@/modules/audit-logs/service";
import { transactOnce } from "@/modules/idempotency/service";
import type { Clock } from "@/platform/clock";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import * as store from "./store";

export interface ExportServiceOptions {
  db: Db;
  clock: Clock;
}

export type ExportService = ReturnType<typeof createExportService>;

export function createExportService({ db, clock }: ExportServiceOptions) {
  return {
    /** Throws 409 while an archive is being written, or if the organization has as many as it may have. */
    async create(tenant: Tenant, once?: KeyedRequest): Promise<OrganizationExport> {
      const { orgId, actor } = tenant;
      return transactOnce(db, orgId, once, async (tx) => {
        await takeLock(tx, orgId, "exports");
        const now = new Date(clock());
        const { rows } = await store.listExports(tx, orgId, now, 1, EXPORTS_MAX);
        if (rows.some(({ status }) => status === "queued" || status === "running")) throw stillRunning();
        if (rows.length >= EXPORTS_MAX) throw tooManyExports();
        const row = await store.insertExport(tx, {
          ...{ id: Bun.randomUUIDv7(), orgId, createdAt: now, requestedBy: actor.email },
        });
        await recordAudit(tx, tenant, audited("create", row.id));
        return present(row);
      });
    },

    async list({ orgId }: Tenant, page: number, limit: number) {
      const { rows, total } = await store.listExports(db, orgId, new Date(clock()), page, limit);
      return { exports: rows.map(present), ...pagingOf(page, limit, total) };
    },

    /** Throws 404. */
    get: async (tenant: Tenant, id: string): Promise<OrganizationExport> => present(await existing(tenant, id)),

    /** `isHead`: only the headers are sent, so nothing is downloaded. Throws 404, and 409 while it is incomplete. */
    async download(tenant: Tenant, id: string, { isHead }: { isHead: boolean }) {
      const row = await existing(tenant, id);
      if (row.status !== "done") throw conflict("The archive is not ready; see its status");
      if (!isHead) await recordAudit(db, tenant, audited("download", row.id));
      return { filename: `waymark-${row.createdAt.toISOString().slice(0, 10)}.tar.gz`, chunks: partsOf(row) };
    },

    /** Throws 404. */
    async remove(tenant: Tenant, id: string) {
      const { id: _id } = await existing(tenant, id);
      await db.transaction(async (tx) => {
        if (!(await store.deleteExport(tx, tenant.orgId, _id))) throw notFound("export");
        await recordAudit(tx, tenant, audited("delete", _id));
      });
      return { _id, deleted: true as const };
    },
  };

  async function existing({ orgId }: Tenant, id: string): Promise<store.ExportRow> {
    const row = isUuid(id) ? await store.findExport(db, orgId, id, new Date(clock())) : undefined;
    if (!row) throw notFound("export");
    return row;
  }

  /** Reads each part once the client has taken the previous one. */
  async function* partsOf({ id, parts }: store.ExportRow): AsyncGenerator<Uint8Array> {
    for (let number = 1; number <= parts; number++) {
      const part = await store.readPart(db, id, number);
      if (!part) throw new Error("A part of an archive is missing");
      yield part;
    }
  }
}

const present = (row: store.ExportRow): OrganizationExport => ({
  _id: row.id,
  status: row.status,
  counts: row.counts,
  bytes: row.bytes,
  expiredClicks: row.expiredClicks ?? undefined,
  requestedBy: row.requestedBy ?? undefined,
  error: row.error ?? undefined,
  createdAt: row.createdAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString(),
  expiresAt: row.expiresAt?.toISOString(),
});

const audited = (verb: string, resourceId: string) => ({
  action: `export.${verb}`,
  resourceType: "export",
  resourceId,
});

const stillRunning = () => conflict("An export of this organization is under way; wait until it is done");
const tooManyExports = () =>
  conflict(`This organization has reached its limit of ${EXPORTS_MAX} exports; delete one, or wait until one expires`);
