/**
 * Removes the certificates of deleted domains. The deletion notes the host in its own transaction (`released_hosts`), so
 * that the certificate is also removed if the process dies first, or the issuer does not respond. A noted host stays
 * locked while its certificate is removed: whoever verifies the host waits, and then requests a new certificate.
 *
 * Bounds: `RUN_MAX` hosts per run, which ends early after `FAILED_MAX` failures; retried for `TRIED_DAYS`.
 */
import { and, eq, lt, sql } from "drizzle-orm";
import { domains, releasedHosts } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import type { Certificates } from "@/platform/hosts/certificates";
import type { Log } from "@/platform/telemetry/log";

const RUN_MAX = 100;
const FAILED_MAX = 5;
const TRIED_DAYS = 7;

export interface RemovalOptions {
  db: Db;
  log: Log;
  certificates: Certificates;
}

/** Notes that the host's certificate is to be removed. */
export const releaseHost = (tx: Db, hostname: string) =>
  tx.insert(releasedHosts).values({ hostname }).onConflictDoNothing();

/** Whoever has verified the host needs its certificate. Waits for a removal that is under way. */
export const claimHost = (tx: Db, hostname: string) =>
  tx.delete(releasedHosts).where(eq(releasedHosts.hostname, hostname));

/** Removes the certificate of a noted host. If that fails, it is logged, and retried later. Returns whether it did. */
export async function removeCertificate({ db, log, certificates }: RemovalOptions, hostname: string): Promise<boolean> {
  const noted = eq(releasedHosts.hostname, hostname);
  try {
    await db.transaction(async (tx) => {
      const [found] = await tx.select().from(releasedHosts).where(noted).for("update", { skipLocked: true });
      if (!found) return;
      if (!(await isVerified(tx, hostname))) await certificates.remove(hostname);
      await tx.delete(releasedHosts).where(noted);
    });
    return true;
  } catch (error) {
    log.error("could not remove the certificate of a deleted domain; will retry", { hostname, error });
    return false;
  }
}

/** Removes the certificates of all noted hosts. */
export async function removeCertificates(
  options: RemovalOptions,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const { db, log } = options;
  const hosts = await db.select().from(releasedHosts).orderBy(sql`random()`).limit(RUN_MAX);
  let failed = 0;
  for (const { hostname } of hosts) {
    if (signal.aborted || failed >= FAILED_MAX) break;
    if (!(await removeCertificate(options, hostname))) failed++;
  }
  const isTooOld = lt(releasedHosts.createdAt, sql`now() - ${TRIED_DAYS} * interval '1 day'`);
  const given = await db.delete(releasedHosts).where(isTooOld).returning();
  for (const { hostname } of given)
    log.error("the certificate of a deleted domain was not removed; remove it manually", { hostname });
  return { hosts: hosts.length, failed };
}

/** The organization that the domain was deleted from may have added and verified it again. */
async function isVerified(tx: Db, hostname: string): Promise<boolean> {
  const held = and(eq(domains.hostname, hostname), eq(domains.isVerified, true));
  return (await tx.select({ id: domains.id }).from(domains).where(held).limit(1)).length > 0;
}
