/** Rows that all servers share, created by whichever comes first: the shared short domain and the visitor secret. */
import { eq, isNull } from "drizzle-orm";
import { violatedConstraint } from "@/platform/db/faults";
import { domains, secrets } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { SettingError } from "@/platform/setting-error";
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";

const VISITOR_SECRET = "visitor";
const LOOK_EVERY_MS = 60_000;
const SAY_EVERY_MS = 600_000;

/**
 * Writes the shared domain's row, or moves it (and all its links) to a changed `SHORT_DOMAIN`. Returns its ID.
 * `onMoved` receives the former hostname. Rejects with a `SettingError` if an organization has verified that domain.
 */
export async function ensureSharedDomain(
  db: Db,
  hostname: string,
  onMoved: (from: string) => void = () => {},
): Promise<string> {
  try {
    const { id, before } = await writeSharedDomain(db, hostname);
    if (before !== hostname) onMoved(before);
    return id;
  } catch (error) {
    if (violatedConstraint(error) !== "domains_verified_hostname") throw error;
    throw heldBySomebody(hostname);
  }
}

export interface SharedDomainWatch {
  db: Db;
  id: string;
  hostname: string;
  log: Log;
  /** Milliseconds between looks. Tests shorten it. */
  lookEveryMs?: number;
}

/**
 * Logs an error every ten minutes while another server's setting holds: links on this server's `SHORT_DOMAIN` are then
 * unknown everywhere.
 */
export function watchSharedDomain({
  db,
  id,
  hostname,
  log,
  lookEveryMs = LOOK_EVERY_MS,
}: SharedDomainWatch): Disposable {
  const say = throttleReports(SAY_EVERY_MS, (to: string) =>
    log.error("another server moved the shared domain; every server needs the same SHORT_DOMAIN", {
      from: hostname,
      to,
    }),
  );
  const look = async () => {
    const [row] = await db.select({ hostname: domains.hostname }).from(domains).where(eq(domains.id, id));
    if (row && row.hostname !== hostname) say(row.hostname);
  };
  // Whether Postgres is unavailable is reported elsewhere.
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

const heldBySomebody = (hostname: string) =>
  new SettingError(
    "SHORT_DOMAIN",
    `an organization has already verified ${hostname}; delete that domain first, or choose another`,
  );

async function writeSharedDomain(db: Db, hostname: string): Promise<{ id: string; before: string }> {
  return db.transaction(async (tx) => {
    const move = async () => {
      const [row] = await tx.select().from(domains).where(isNull(domains.orgId)).for("update");
      if (row && row.hostname !== hostname) await tx.update(domains).set({ hostname }).where(eq(domains.id, row.id));
      return row && { id: row.id, before: row.hostname };
    };
    const moved = await move();
    if (moved) return moved;
    const values = { id: Bun.randomUUIDv7(), orgId: null, hostname, isVerified: true };
    const [made] = await tx.insert(domains).values(values).onConflictDoNothing().returning({ id: domains.id });
    // Another server was first.
    const row = made ? { id: made.id, before: hostname } : await move();
    if (!row) throw heldBySomebody(hostname);
    return row;
  });
}

/**
 * Returns the secret that visitor keys are made with. It is stored, so that rotating `APP_SECRET` moves no visitor to
 * another split.
 */
export async function ensureVisitorSecret(db: Db): Promise<Uint8Array> {
  const value = crypto.getRandomValues(new Uint8Array(32));
  await db.insert(secrets).values({ name: VISITOR_SECRET, value }).onConflictDoNothing();
  const [row] = await db.select().from(secrets).where(eq(secrets.name, VISITOR_SECRET));
  if (!row) throw new Error("The visitor secret is missing and could not be stored");
  return new Uint8Array(row.value);
}
