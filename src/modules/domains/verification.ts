/**
 * Verifies who controls a host, by DNS. A domain is verified once its TXT record is found; where the host points is
 * reported, but not required. A verified domain whose record is not found stays verified for three days: the first
 * lookup without the record sets when it went missing, one with the record clears that, and one after three days ends
 * the verification. A lookup that DNS did not respond to changes nothing.
 */
import type { Certificate, DnsRecord } from "@/contract/domains";
import { changesOf } from "@/core/changes";
import { type OrgId, SYSTEM, type Tenant } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { conflict, notFound } from "@/http/errors";
import { recordAudit } from "@/modules/audit-logs/service";
import { type Clock, latestBelieved } from "@/platform/clock";
import { violatedConstraint } from "@/platform/db/faults";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import type { Certificates } from "@/platform/hosts/certificates";
import type { Dns } from "@/platform/hosts/dns";
import type { ChangeRouting } from "@/platform/routing-changes";
import type { Log } from "@/platform/telemetry/log";
import { auditedDomain } from "./present";
import { lookUpRecords, missingAmong } from "./records";
import { claimHost, releaseHost, removeCertificate } from "./released-hosts";
import * as store from "./store";

const GRACE_MS = 3 * DAY_MS;
const CHECK_EVERY_MS = DAY_MS;
/** Milliseconds until the next check after DNS did not respond, or the check failed. */
const RETRY_MS = HOUR_MS;
/** Milliseconds between checks while the certificate is not ready. */
const CERTIFICATE_EVERY_MS = 15 * 60_000;
/** The certificate is checked again once it has less than this left. */
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
   * Looks the domain up and updates its state. Resolves to undefined if DNS did not respond for the ownership record.
   * Throws 404, and 409 for a host that another organization has verified.
   */
  async function verify(tenant: Tenant, domain: store.DomainRow): Promise<store.DomainRow | undefined> {
    const records = await lookUpRecords(options, domain);
    if (records[0]?.status === "unknown") return undefined;
    const after = await keep(tenant, domain, records);
    if (!after.isVerified || !certificates) return after;
    // If the host was not verified until now, its previous holder may have had the certificate removed.
    if (domain.isVerified && isLasting(after.certificate, clock())) return after;
    return requestAndStoreCertificate(options, after, tenant.orgId, certificates);
  }

  /** Checks a verified domain again, as the system. Returns the outcome, for the log. */
  async function recheck({
    id,
    orgId,
  }: store.DueDomain): Promise<"kept" | "missing" | "ended" | "unanswered" | "gone"> {
    const domain = await store.findDomain(db, orgId, id);
    if (!domain?.isVerified) return "gone";
    // Postponed first, so that a domain whose check fails never keeps the others from their turn.
    await store.setCheckedAt(db, orgId, id, putOffTo(domain, clock(), certificates !== null));
    const after = await verify({ orgId, actor: SYSTEM }, domain);
    if (!after) return "unanswered";
    if (!after.isVerified) return "ended";
    return after.missingSince ? "missing" : "kept";
  }

  function due(limit: number): Promise<store.DueDomain[]> {
    const now = clock();
    const before = new Date(now - CHECK_EVERY_MS);
    const awaitedBefore = certificates && new Date(now - CERTIFICATE_EVERY_MS);
    return store.dueDomains(db, { before, awaitedBefore, ahead: latestBelieved(now) }, limit);
  }

  /** Stores the state that follows from the records. */
  async function keep(tenant: Tenant, { id }: store.DomainRow, records: DnsRecord[]): Promise<store.DomainRow> {
    const { orgId } = tenant;
    const now = new Date(clock());
    return changeRouting(async (tx, changed) => {
      await takeLock(tx, orgId, "organization");
      const before = await store.lockDomain(tx, orgId, id);
      if (!before) throw notFound("domain");
      const updated = await store.updateDomain(tx, orgId, id, stateAfter(before, records, now));
      if (updated.isVerified === before.isVerified) return updated;
      if (updated.isVerified) await claimHost(tx, updated.hostname);
      await recordAudit(tx, tenant, {
        action: updated.isVerified ? "domain.verify" : "domain.unverify",
        resourceType: "domain",
        resourceId: id,
        changes: changesOf(auditedDomain(before), auditedDomain(updated)),
      });
      await changed.organization(orgId);
      return updated;
    }).catch((error: unknown) => {
      if (violatedConstraint(error) === "domains_verified_hostname") throw verifiedByOther();
      throw error;
    });
  }
}

/**
 * Requests a certificate and stores its state. Never rejects because of the issuer: a failure is stored, and the next
 * check requests it again.
 */
async function requestAndStoreCertificate(
  { db, clock, log }: VerificationOptions,
  domain: store.DomainRow,
  orgId: OrgId,
  issuer: Certificates,
): Promise<store.DomainRow> {
  const certificate = await issuer.request(domain.hostname).catch((error: unknown): Certificate => {
    log.warn("could not request a certificate", { hostname: domain.hostname, error });
    return { status: "failed", checkedAt: new Date(clock()).toISOString() };
  });
  const stored = await store.updateCertificate(db, orgId, domain.id, certificate);
  if (stored) return stored;
  // A domain deleted meanwhile needs no certificate, and whoever deleted it may have found none.
  await releaseHost(db, domain.hostname);
  await removeCertificate({ db, log, certificates: issuer }, domain.hostname);
  return domain;
}

export const verifiedByOther = () =>
  conflict("Another organization has already verified this host", [
    "hostname: you can verify it once that verification ends",
  ]);

/** Returns the domain's new state. The first of the records is that of ownership, and its status must be known. */
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
    // Whatever is known of it is from an earlier verification, so that it is requested even if this process dies first.
    ...(isVerified && !before.isVerified && { certificate: null }),
    checkedAt: now,
    updatedAt: now,
    verification: { checkedAt: now.toISOString(), missing: missingAmong(records), records },
  };
}

function isLasting(certificate: Certificate | null, now: number): boolean {
  if (certificate?.status !== "ready") return false;
  return certificate.expiresAt === undefined || Date.parse(certificate.expiresAt) - now > RENEWED_BEFORE_MS;
}

/**
 * Returns the time of the last check with which the domain is due again after `RETRY_MS`, or after
 * `CERTIFICATE_EVERY_MS` if it waits for a certificate.
 */
function putOffTo({ certificate }: store.DomainRow, now: number, areManaged: boolean): Date {
  const isAwaited = areManaged && certificate?.status !== "ready";
  return new Date(isAwaited ? now : now - CHECK_EVERY_MS + RETRY_MS);
}
