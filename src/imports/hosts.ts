import { eq } from "drizzle-orm";
import { comparedHostname } from "@/core/names/hostname";
import { domains } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/** Returns the verified hosts of all organizations, in the form in which hosts are compared. */
export async function findVerifiedHosts(db: Db): Promise<string[]> {
  const rows = await db.select({ hostname: domains.hostname }).from(domains).where(eq(domains.isVerified, true));
  return rows.map(({ hostname }) => comparedHostname(hostname));
}
