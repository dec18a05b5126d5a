/** Rows every server shares and any of them makes first: the shared short domain and the visitor secret. */
import { eq, isNull } from "drizzle-orm";
import { violatedConstraint } from "@/platform/db/faults";
import { domains, secrets } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

const VISITOR_SECRET = "visitor";

/** Writes the shared domain's row, or moves it (and all its links) to a changed `SHORT_DOMAIN`. Rejects where that is held. */
export async function ensureSharedDomain(db: Db, hostname: string): Promise<void> {
  try {
    await writeSharedDomain(db, hostname);
  } catch (error) {
    if (violatedConstraint(error) !== "domains_verified_hostname") throw error;
    throw new Error(
      `SHORT_DOMAIN: an organization holds ${hostname} as its verified domain; delete that first, or choose another`,
    );
  }
}

async function writeSharedDomain(db: Db, hostname: string): Promise<void> {
  await db.transaction(async (tx) => {
    const moved = await tx.update(domains).set({ hostname }).where(isNull(domains.orgId)).returning({ id: domains.id });
    if (moved.length > 0) return;
    await tx
      .insert(domains)
      .values({ id: Bun.randomUUIDv7(), orgId: null, hostname, isVerified: true })
      .onConflictDoNothing();
  });
}

/** What visitor keys are made with: stored, so that rotating `APP_SECRET` moves no visitor to another split. */
export async function ensureVisitorSecret(db: Db): Promise<Uint8Array> {
  const value = crypto.getRandomValues(new Uint8Array(32));
  await db.insert(secrets).values({ name: VISITOR_SECRET, value }).onConflictDoNothing();
  const [row] = await db.select().from(secrets).where(eq(secrets.name, VISITOR_SECRET));
  if (!row) throw new Error("The visitor secret is neither stored nor could it be");
  return new Uint8Array(row.value);
}
