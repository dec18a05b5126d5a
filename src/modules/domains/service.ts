/** Custom domains: added, verified, used for the dashboard, deleted. Each change is one transaction. */
import { randomBytes } from "node:crypto";
import {
  type Certificate,
  type DashboardHostingInput,
  DOMAINS_MAX,
  type Domain,
  type DomainConfiguration,
} from "@/contract/domains";
import { changesOf } from "@/core/changes";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { conflict, invalid, notFound, unavailable } from "@/http/errors";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Plans } from "@/modules/plans/service";
import { takeTurn } from "@/platform/db/turns";
import type { Db } from "@/platform/db/tx";
import type { CheckHost } from "./doctor";
import { auditedDomain, presentDomain } from "./present";
import { lookUpRecords, missingAmong } from "./records";
import * as store from "./store";
import { checkedHostname } from "./validate";
import { createVerification, heldElsewhere, type VerificationOptions } from "./verification";

const TOKEN_BYTES = 16;
/** Of the paths that a refusal names. */
const NAMED_MAX = 20;

export interface DomainServiceOptions extends VerificationOptions {
  /** Names the service itself answers at, which nobody may add. */
  ownHosts: readonly string[];
  plans: Pick<Plans, "requireRoom">;
  checkHost: CheckHost;
}

export type DomainService = ReturnType<typeof createDomainService>;

export function createDomainService(options: DomainServiceOptions) {
  const { db, clock, log, certificates, ownHosts, plans, checkHost, changeRouting } = options;
  const verification = createVerification(options);

  return {
    async list({ orgId }: Tenant, page = 1, limit = DOMAINS_MAX): Promise<Domain[]> {
      return (await store.listDomains(db, orgId, page, limit)).map(presentDomain);
    },

    /** Throws 400 for what is no host name to have, 409 for one the organization has, 429 for one beyond the plan. */
    async create(tenant: Tenant, { hostname: text }: { hostname: string }): Promise<Domain> {
      const { orgId } = tenant;
      const hostname = checkedHostname(text, ownHosts);
      const now = new Date(clock());
      const verificationToken = `waymark-${randomBytes(TOKEN_BYTES).toString("hex")}`;
      return db.transaction(async (tx) => {
        await takeTurn(tx, orgId, "organization");
        await plans.requireRoom(tx, orgId, "domains");
        if ((await store.countDomains(tx, orgId)) >= DOMAINS_MAX) throw tooManyDomains();
        const values = { id: Bun.randomUUIDv7(), hostname, verificationToken, createdAt: now, updatedAt: now };
        const row = await store.insertDomainUnlessTaken(tx, orgId, values);
        if (!row) throw conflict("This organization has the domain already", ["hostname: is already in use"]);
        await audit(tx, tenant, "create", row.id, changesOf({}, { hostname }));
        return presentDomain(row);
      });
    },

    /** What to enter into DNS and what is there now. Throws 404. */
    async configuration({ orgId }: Tenant, id: string, isChecked = false): Promise<DomainConfiguration> {
      const domain = await existing(orgId, id);
      const records = lookUpRecords(options, domain);
      const [found, certificate, checks] = await Promise.all([
        records,
        certificates ? certificateState(domain) : undefined,
        isChecked ? checkHost(domain.hostname, records) : undefined,
      ]);
      const { hostname, isVerified } = domain;
      return {
        _id: domain.id,
        hostname,
        isVerified,
        records: found,
        missing: missingAmong(found),
        certificate,
        checks,
      };
    },

    /** Throws 404, 409 for a host that another organization holds, 503 when DNS does not answer. */
    async verify(tenant: Tenant, id: string): Promise<Domain> {
      const domain = await existing(tenant.orgId, id);
      if (await store.isVerifiedElsewhere(db, tenant.orgId, domain.hostname)) throw heldElsewhere();
      const after = await verification.verify(tenant, domain);
      if (!after) throw unavailable("The host's name servers do not answer; try again shortly");
      return presentDomain(after);
    },

    /** Throws 400 for a domain that is not verified, 404, 409 while links stand where the dashboard's own pages would. */
    async hostDashboard(tenant: Tenant, id: string, { enabled, isPrimary }: DashboardHostingInput): Promise<Domain> {
      await existing(tenant.orgId, id);
      const values = {
        ...(enabled !== undefined && { dashboard: { enabled: enabled ?? false } }),
        ...(isPrimary !== undefined && { isPrimary: isPrimary ?? false }),
      };
      return changing(tenant, id, async (tx, before, touch) => {
        if (!before.isVerified) throw invalid(["domainId: the domain is not verified yet"]);
        if (enabled && !before.dashboard.enabled) await refuseHiding(tx, id);
        const others = isPrimary ? await store.otherPrimaries(tx, tenant.orgId, id) : [];
        for (const other of others) await update(tx, tenant, other, { isPrimary: false });
        const after = await update(tx, tenant, before, values);
        if (after !== before || others.length > 0) await touch();
        return presentDomain(after);
      });
    },

    /** Throws 404, 409 while live links or bio pages are on it. */
    async remove(tenant: Tenant, id: string) {
      await existing(tenant.orgId, id);
      const { hostname, certificate, isVerified } = await changing(tenant, id, async (tx, before, touch) => {
        const live = await store.countLive(tx, id);
        if (live.links + live.bioPages > 0) throw inUse(live);
        await store.releaseDeletedLinks(tx, tenant.orgId, id);
        await store.deleteDomain(tx, tenant.orgId, id);
        await audit(tx, tenant, "delete", id, changesOf(auditedDomain(before), {}));
        await touch();
        return before;
      });
      if (certificate || isVerified) await forgetCertificate(tenant.orgId, hostname);
      return { _id: id, deleted: true as const };
    },
  };

  /** Links in use are not taken away in silence: whoever wants the dashboard there decides about them. Throws 409. */
  async function refuseHiding(tx: Db, id: string): Promise<void> {
    const { count, paths } = await store.pathsOnOwnPaths(tx, id, NAMED_MAX);
    if (count === 0) return;
    const more = count > paths.length ? [`links: ${count} in all`] : [];
    throw conflict("Links stand where the dashboard has its own pages: delete them, or use another host", [
      ...paths.map((path) => `links: ${path} would no longer be reached`),
      ...more,
    ]);
  }

  async function existing(orgId: OrgId, id: string): Promise<store.DomainRow> {
    const row = isUuid(id) ? await store.findDomain(db, orgId, id) : undefined;
    if (!row) throw notFound("domain");
    return row;
  }

  /** Works on the locked domain. `touch` says that links are served otherwise. */
  async function changing<Result>(
    { orgId }: Tenant,
    id: string,
    work: (tx: Db, before: store.DomainRow, touch: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    return changeRouting(async (tx, changed) => {
      await takeTurn(tx, orgId, "organization");
      const before = await store.lockDomain(tx, orgId, id);
      if (!before) throw notFound("domain");
      return work(tx, before, () => changed.organization(orgId));
    });
  }

  async function update(tx: Db, tenant: Tenant, before: store.DomainRow, values: store.DomainValues) {
    const changes = changesOf(auditedDomain(before), auditedDomain({ ...before, ...values }));
    if (Object.keys(changes).length === 0) return before;
    await audit(tx, tenant, "dashboard", before.id, changes);
    return store.updateDomain(tx, tenant.orgId, before.id, { ...values, updatedAt: new Date(clock()) });
  }

  async function certificateState({ hostname, isVerified, certificate }: store.DomainRow): Promise<Certificate> {
    if (!isVerified || !certificates) return { status: "none" };
    return certificates.state(hostname).catch((error: unknown) => {
      log.warn("certificate not asked about", { hostname, error });
      return certificate ?? { status: "failed" };
    });
  }

  async function forgetCertificate(orgId: OrgId, hostname: string): Promise<void> {
    try {
      // Where the verification had ended, the host and its certificate may be another's by now.
      if (await store.isVerifiedElsewhere(db, orgId, hostname)) return;
      await certificates?.remove(hostname);
    } catch (error) {
      log.error("certificate of a deleted domain not removed: remove it by hand", { hostname, error });
    }
  }
}

const audit = (tx: Db, tenant: Tenant, verb: string, resourceId: string, changes: Record<string, unknown>) =>
  recordAudit(tx, tenant, { action: `domain.${verb}`, resourceType: "domain", resourceId, changes });

const tooManyDomains = () =>
  conflict(`This organization has ${DOMAINS_MAX} domains, as many as it may; delete one to add another`);

const inUse = ({ links, bioPages }: Awaited<ReturnType<typeof store.countLive>>) =>
  conflict("The domain is in use: delete its links and bio pages first", [
    ...(links === 0 ? [] : [links === 1 ? "links: 1 live link is on it" : `links: ${links} live links are on it`]),
    ...(bioPages === 0 ? [] : [bioPages === 1 ? "bioPages: 1 is on it" : `bioPages: ${bioPages} are on it`]),
  ]);
