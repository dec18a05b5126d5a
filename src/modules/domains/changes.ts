/** Changes an existing domain: whether it serves the dashboard, and its deletion. */
import type { DashboardHostingInput, Domain } from "@/contract/domains";
import { changesOf } from "@/core/changes";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { archivedPart, conflict, invalid, notFound } from "@/http/errors";
import { type IfMatch, requireMatch } from "@/http/headers/entity-tag";
import { recordAudit } from "@/modules/audit-logs/service";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import { auditedDomain, domainTag, presentDomain } from "./present";
import { releaseHost, removeCertificate } from "./released-hosts";
import * as store from "./store";
import type { VerificationOptions } from "./verification";

/** How many paths an error lists. */
const NAMED_MAX = 20;

export type DomainChangeOptions = Pick<VerificationOptions, "db" | "clock" | "log" | "certificates" | "changeRouting">;

export function createDomainChanges(options: DomainChangeOptions) {
  const { db, log, certificates } = options;
  return {
    /**
     * Throws 400 for an unverified domain, unless it only turns something off, 404, 409 while links or bio pages use
     * paths that the dashboard needs, and 412 if it was changed since the client read it.
     */
    async hostDashboard(tenant: Tenant, id: string, input: DashboardHostingInput, ifMatch?: IfMatch): Promise<Domain> {
      const { enabled, isPrimary } = input;
      await existing(db, tenant.orgId, id);
      const values = {
        ...(enabled !== undefined && { dashboard: { enabled: enabled ?? false } }),
        ...(isPrimary !== undefined && { isPrimary: isPrimary ?? false }),
      };
      return changing(options, tenant, id, async (tx, before, touch) => {
        requireMatch(ifMatch, domainTag(before), "domain");
        if (!before.isVerified && (enabled || isPrimary)) throw invalid(["domainId: the domain is not verified yet"]);
        if (enabled && !before.dashboard.enabled) await refuseHiding(tx, before);
        const others = isPrimary ? await store.otherPrimaries(tx, tenant.orgId, id) : [];
        for (const other of others) await update(options, tx, tenant, other, "dashboard", { isPrimary: false });
        const after = await update(options, tx, tenant, before, "dashboard", values);
        if (after !== before || others.length > 0) await touch();
        return presentDomain(after);
      });
    },

    /** Throws 404, 409 while the domain has live links or bio pages, and 412 as the changes do. */
    async remove(tenant: Tenant, id: string, ifMatch?: IfMatch) {
      await existing(db, tenant.orgId, id);
      const { hostname } = await changing(options, tenant, id, async (tx, before, touch) => {
        requireMatch(ifMatch, domainTag(before), "domain");
        const live = await store.countLiveOnDomain(tx, id);
        if (live.links + live.bioPages > 0) throw inUse(live);
        await store.releaseDeletedLinks(tx, tenant.orgId, before);
        await store.deleteDomain(tx, tenant.orgId, id);
        if (certificates && (before.certificate || before.isVerified)) await releaseHost(tx, before.hostname);
        await audit(tx, tenant, "delete", id, changesOf(auditedDomain(before), {}));
        await touch();
        return before;
      });
      if (certificates) await removeCertificate({ db, log, certificates }, hostname);
      return { _id: id, deleted: true as const };
    },
  };
}

/** Throws 404. */
export async function existing(db: Db, orgId: OrgId, id: string): Promise<store.DomainRow> {
  const row = isUuid(id) ? await store.findDomain(db, orgId, id) : undefined;
  if (!row) throw notFound("domain");
  return row;
}

/** Runs `work` on the locked domain. `work` calls `touch` if its links must be served differently from now on. */
export async function changing<Result>(
  { changeRouting }: DomainChangeOptions,
  { orgId }: Tenant,
  id: string,
  work: (tx: Db, before: store.DomainRow, touch: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  return changeRouting(async (tx, changed) => {
    await takeLock(tx, orgId, "organization");
    const before = await store.lockDomain(tx, orgId, id);
    if (!before) throw notFound("domain");
    return work(tx, before, () => changed.organization(orgId));
  });
}

/** Throws 409 rather than silently making live links unreachable: an admin has to decide about them. */
async function refuseHiding(tx: Db, domain: store.DomainRow): Promise<void> {
  const { count, paths } = await store.pathsOnOwnPaths(tx, domain, NAMED_MAX);
  if (count === 0) return;
  const more = count > paths.length ? [`links: ${count} in total`] : [];
  throw conflict("Links use paths that the dashboard needs; delete them, or use another host", [
    ...paths.map((path) => `links: ${path} would become unreachable`),
    ...more,
  ]);
}

/** Updates the domain and writes its audit entry. Returns `before` itself if nothing changes. */
export async function update(
  { clock }: DomainChangeOptions,
  tx: Db,
  tenant: Tenant,
  before: store.DomainRow,
  verb: string,
  values: store.DomainValues,
) {
  const changes = changesOf(auditedDomain(before), auditedDomain({ ...before, ...values }));
  if (Object.keys(changes).length === 0) return before;
  await audit(tx, tenant, verb, before.id, changes);
  return store.updateDomain(tx, tenant.orgId, before.id, { ...values, updatedAt: new Date(clock()) });
}

export const audit = (tx: Db, tenant: Tenant, verb: string, resourceId: string, changes: Record<string, unknown>) =>
  recordAudit(tx, tenant, { action: `domain.${verb}`, resourceType: "domain", resourceId, changes });

const inUse = ({ links, archivedLinks, bioPages }: store.LiveOnDomain) =>
  conflict("The domain is in use; delete its links and bio pages first", [
    ...(links === 0
      ? []
      : [
          `links: ${links === 1 ? "1 live link uses it" : `${links} live links use it`}${archivedPart(links, archivedLinks)}`,
        ]),
    ...(bioPages === 0
      ? []
      : [bioPages === 1 ? "bioPages: 1 bio page uses it" : `bioPages: ${bioPages} bio pages use it`]),
  ]);
