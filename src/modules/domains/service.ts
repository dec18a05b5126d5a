/**
 * Custom domains: adds, verifies and deletes them, and serves the dashboard on them. Each change is one transaction.
 */
import { randomBytes } from "node:crypto";
import {
  type Certificate,
  DOMAINS_MAX,
  type Domain,
  type DomainConfiguration,
  type DomainInput,
} from "@/contract/domains";
import { changesOf } from "@/core/changes";
import type { Tenant } from "@/core/ids";
import { conflict, unavailable } from "@/http/errors";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { transactOnce } from "@/modules/idempotency/service";
import type { Plans } from "@/modules/plans/service";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import { audit, createDomainChanges, existing } from "./changes";
import type { AskingRequest, ProxySettings } from "./checks/judge-visitors";
import { checkOwn } from "./checks/own-checks";
import type { CheckHost } from "./doctor";
import { presentDomain } from "./present";
import { lookUpRecords, missingAmong } from "./records";
import { createDomainRedirects, type DomainRedirectOptions } from "./redirects";
import * as store from "./store";
import { checkedHostname } from "./validate";
import { createVerification, type VerificationOptions, verifiedByOther } from "./verification";

const TOKEN_BYTES = 16;

export interface DomainServiceOptions extends VerificationOptions, Pick<DomainRedirectOptions, "safety"> {
  /** Host names of the service itself, which nobody may add. */
  ownHosts: readonly string[];
  plans: Pick<Plans, "requireRoom">;
  checkHost: CheckHost;
  /** The operator's proxy settings. */
  proxies: ProxySettings;
}

export type DomainService = ReturnType<typeof createDomainService>;

export function createDomainService(options: DomainServiceOptions) {
  const { db, clock, certificates, ownHosts, plans, checkHost } = options;
  const verification = createVerification(options);

  return {
    ...createDomainChanges(options),
    ...createDomainRedirects(options),

    async list({ orgId }: Tenant, page = 1, limit = DOMAINS_MAX): Promise<Domain[]> {
      return (await store.listDomains(db, orgId, page, limit)).map(presentDomain);
    },

    /** Throws 404. */
    async get({ orgId }: Tenant, id: string): Promise<Domain> {
      return presentDomain(await existing(db, orgId, id));
    },

    /**
     * Throws 400 for an unusable host name, 409 for a domain that the organization already has or beyond
     * `DOMAINS_MAX`, and 429 beyond the plan's limit.
     */
    async create(tenant: Tenant, { hostname: text, caseSensitive }: DomainInput, once?: KeyedRequest): Promise<Domain> {
      const { orgId } = tenant;
      const fields = { hostname: checkedHostname(text, ownHosts), isCaseSensitive: caseSensitive ?? false };
      return transactOnce(db, orgId, once, async (tx) => {
        await takeLock(tx, orgId, "organization");
        await plans.requireRoom(tx, orgId, "domains");
        if ((await store.countDomains(tx, orgId)) >= DOMAINS_MAX) throw tooManyDomains();
        return presentDomain(await inserted(tx, tenant, fields, new Date(clock())));
      });
    },

    /** Returns what to enter into DNS and what is there now; with `asking`, also the checks. Throws 404. */
    async configuration({ orgId }: Tenant, id: string, asking?: AskingRequest): Promise<DomainConfiguration> {
      const domain = await existing(db, orgId, id);
      const records = lookUpRecords(options, domain);
      const [found, certificate, checks, ownChecks] = await Promise.all([
        records,
        certificates ? certificateState(options, domain) : undefined,
        asking && checkHost(domain.hostname, records),
        asking && checkOwn(options, orgId, domain, asking),
      ]);
      const { hostname, isVerified } = domain;
      return {
        _id: domain.id,
        hostname,
        isVerified,
        records: found,
        missing: missingAmong(found),
        certificate,
        checks: checks && [...checks, ...(ownChecks ?? [])],
      };
    },

    /** Throws 404, 409 for a host that another organization has verified, and 503 if DNS does not respond. */
    async verify(tenant: Tenant, id: string): Promise<Domain> {
      const domain = await existing(db, tenant.orgId, id);
      if (await store.isVerifiedElsewhere(db, tenant.orgId, domain.hostname)) throw verifiedByOther();
      const after = await verification.verify(tenant, domain);
      if (!after) throw unavailable("The host's name servers do not respond; try again shortly");
      return presentDomain(after);
    },
  };
}

/**
 * A host that the organization had before gets its id back, under which its clicks are counted, and its deleted links.
 * Throws 409.
 */
async function inserted(
  tx: Db,
  tenant: Tenant,
  fields: Pick<store.DomainRow, "hostname" | "isCaseSensitive">,
  now: Date,
): Promise<store.DomainRow> {
  const { orgId } = tenant;
  const { hostname, isCaseSensitive } = fields;
  const formerId = await store.formerDomainId(tx, orgId, hostname);
  const made = { id: formerId ?? Bun.randomUUIDv7(), createdAt: now, updatedAt: now };
  const verificationToken = `waymark-${randomBytes(TOKEN_BYTES).toString("hex")}`;
  const row = await store.insertDomainUnlessTaken(tx, orgId, { ...made, ...fields, verificationToken });
  if (!row) throw conflict("This organization already has this domain", ["hostname: already in use"]);
  if (formerId) await store.takeBackDeletedLinks(tx, orgId, row);
  await audit(tx, tenant, "create", row.id, changesOf({}, { hostname, caseSensitive: isCaseSensitive }));
  return row;
}

async function certificateState(
  { log, certificates }: DomainServiceOptions,
  { hostname, isVerified, certificate }: store.DomainRow,
): Promise<Certificate> {
  if (!isVerified || !certificates) return { status: "none" };
  return certificates.state(hostname).catch((error: unknown) => {
    log.warn("could not check certificate status", { hostname, error });
    return certificate ?? { status: "failed" };
  });
}

const tooManyDomains = () =>
  conflict(`This organization has reached its limit of ${DOMAINS_MAX} domains; delete one to add another`);
