/**
 * Whose a host is, as DNS says it. A domain is verified once its TXT record is found; where the host itself leads is told,
 * and not required. A verified domain whose record is not found stays verified for three days: the first look-up without it
 * notes when, one with it clears that, and one after three days ends the verification. A look-up that DNS did not answer
 * says nothing of a domain.
 */
import type { Certificate, DnsRecord } from "@/contract/domains";
import { changesOf } from "@/core/changes";
import type { OrgId, Tenant } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { conflict, notFound } from "@/http/errors";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import { violatedConstraint } from "@/platform/db/faults";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import type { Certificates } from "@/platform/hosts/certificates";
import type { Dns } from "@/platform/hosts/dns";
import type { ChangeRouting } from "@/platform/routing-changes";
import type { Log } from "@/platform/telemetry/log";
import { auditedDomain } from "./present";
import { lookUpRecords, missingAmong } from "./records";
import * as store from "./store";

const GRACE_MS = 3 * DAY_MS;
const CHECK_EVERY_MS = DAY_MS;
/** After a look-up that DNS did not answer, or that came to nothing. */
const RETRY_MS = HOUR_MS;
/** Of a certificate that is not there yet. */
const CERTIFICATE_EVERY_MS = 15 * 60_000;
/** A certificate is looked at again when it ends so soon. */
const RENEWED_BEFORE_MS = 20 * DAY_MS;

export interface VerificationOptions {
  db: Db;
  clock: Clock;
  log: Log;
  dns: Dns;
  /** This is null if Waymark does not manage certificates. */
  certificates: Certificates | null;
  serviceHost: string;
  changeRouting: ChangeRouting;
}

export function createVerification(options: VerificationOptions) {
  const { db, clock, certificates, changeRouting } = options;

  return { verify, recheck, due };

  /**
   * The domain as DNS has it now; undefined when DNS did not answer for the record of ownership. Throws 404, and 409 for a
   * host that another organization holds.
   */
  async function verify(tenant: Tenant, domain: store.DomainRow): Promise<store.DomainRow | undefined> {
    const records = await lookUpRecords(options, domain);
    if (records[0]?.status === "unknown") return undefined;
    const after = await keep(tenant, domain, records);
    if (!after.isVerified || !certificates) return after;
    // Of a host that was not held until now, whoever held it before may have had the certificate removed.
    if (domain.isVerified && isLasting(after.certificate, clock())) return after;
    return seeToCertificate(options, after, tenant.orgId, certificates);
  }

  /** Looks a verified domain up again, on nobody's behalf. What it came to. */
  async function recheck({
    id,
    orgId,
  }: store.DueDomain): Promise<"kept" | "missing" | "ended" | "unanswered" | "gone"> {
    const domain = await store.findDomain(db, orgId, id);
    if (!domain?.isVerified) return "gone";
    // First, so that one of which something goes wrong never keeps the others from their turn.
    await store.putOff(db, orgId, id, new Date(clock() - CHECK_EVERY_MS + RETRY_MS));
    const after = await verify({ orgId, actor: SYSTEM }, domain);
    if (!after) return "unanswered";
    if (!after.isVerified) return "ended";
    return after.missingSince ? "missing" : "kept";
  }

  function due(limit: number): Promise<store.DueDomain[]> {
    const before = (ms: number) => new Date(clock() - ms);
    return store.dueDomains(db, before(CHECK_EVERY_MS), certificates && before(CERTIFICATE_EVERY_MS), limit);
  }

  /** What was looked up becomes the domain's state. */
  async function keep(tenant: Tenant, { id }: store.DomainRow, records: DnsRecord[]): Promise<store.DomainRow> {
    const { orgId } = tenant;
    const now = new Date(clock());
    return changeRouting(async (tx, changed) => {
      await takeLock(tx, orgId, "organization");
      const before = await store.lockDomain(tx, orgId, id);
      if (!before) throw notFound("domain");
      const updated = await store.updateDomain(tx, orgId, id, stateAfter(before, records, now));
      if (updated.isVerified === before.isVerified) return updated;
      await recordAudit(tx, tenant, {
        action: updated.isVerified ? "domain.verify" : "domain.unverify",
        resourceType: "domain",
        resourceId: id,
        changes: changesOf(auditedDomain(before), auditedDomain(updated)),
      });
      await changed.organization(orgId);
      return updated;
    }).catch((error: unknown) => {
      if (violatedConstraint(error) === "domains_verified_hostname") throw heldElsewhere();
      throw error;
    });
  }
}

/** Never rejects for the issuer's sake: what failed is kept, and asked for again by the next check. */
async function seeToCertificate(
  { db, clock, log }: VerificationOptions,
  domain: store.DomainRow,
  orgId: OrgId,
  issuer: Certificates,
): Promise<store.DomainRow> {
  const certificate = await issuer.request(domain.hostname).catch((error: unknown): Certificate => {
    log.warn("could not request a certificate", { hostname: domain.hostname, error });
    return { status: "failed", checkedAt: new Date(clock()).toISOString() };
  });
  // A domain that was deleted meanwhile needs none.
  return (await store.updateCertificate(db, orgId, domain.id, certificate)) ?? domain;
}

export const heldElsewhere = () =>
  conflict("Another organization has already verified this host", [
    "hostname: you can verify it once that verification ends",
  ]);

const SYSTEM: Tenant["actor"] = { type: "system", id: null, email: null, ip: null, userAgent: null };

/** Pure: what becomes of a domain by records of which the first, of ownership, is known. */
function stateAfter(
  before: Pick<store.DomainRow, "isVerified" | "verifiedAt" | "missingSince">,
  records: DnsRecord[],
  now: Date,
) {
  const isProven = records[0]?.status === "ok";
  const missingSince = isProven || !before.isVerified ? null : (before.missingSince ?? now);
  const isOver = missingSince !== null && now.getTime() - missingSince.getTime() >= GRACE_MS;
  const isVerified = isProven || (before.isVerified && !isOver);
  return {
    isVerified,
    verifiedAt: isVerified ? (before.verifiedAt ?? now) : null,
    missingSince: isVerified ? missingSince : null,
    checkedAt: now,
    updatedAt: now,
    verification: { checkedAt: now.toISOString(), missing: missingAmong(records), records },
  };
}

function isLasting(certificate: Certificate | null, now: number): boolean {
  if (certificate?.status !== "ready") return false;
  return certificate.expiresAt === undefined || Date.parse(certificate.expiresAt) - now > RENEWED_BEFORE_MS;
}
