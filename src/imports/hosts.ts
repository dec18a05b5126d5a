import { eq } from "drizzle-orm";
import { comparedHostname } from "@/core/names/hostname";
import { domains } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/** Of all organizations, as they are compared. */
export async function findVerifiedHosts(db: Db): Promise<string[]> {
  const rows = await db.select({ hostname: domains.hostname }).from(domains).where(eq(domains.isVerified, true));
  return rows.map(({ hostname }) => comparedHostname(hostname));
}
