/**
 * Rows that all servers share, created by whichever comes first: the shared short domain, the visitor secret and the
 * fingerprint of `APP_SECRET`.
 */
import { eq, isNull } from "drizzle-orm";
import { violatedConstraint } from "@/platform/db/faults";
import { domains, secrets } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import type { Keys } from "@/platform/keys";
import { SettingError } from "@/platform/setting-error";
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";

const VISITOR_SECRET = "visitor";
const APP_SECRET_FINGERPRINT = "fingerprint of APP_SECRET";
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

/** Writes the shared domain's row before the first server does. Never moves it: a command may lack the setting. */
export async function createSharedDomain(db: Db, hostname: string): Promise<void> {
  await db.insert(domains).values(sharedRow(hostname)).onConflictDoNothing();
}

const sharedRow = (hostname: string) => ({ id: Bun.randomUUIDv7(), orgId: null, hostname, isVerified: true });

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
  return lookRegularly(look, lookEveryMs);
}

function lookRegularly(look: () => Promise<void>, everyMs: number): Disposable {
  // Whether Postgres is unavailable is reported elsewhere.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
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
    const [made] = await tx
      .insert(domains)
      .values(sharedRow(hostname))
      .onConflictDoNothing()
      .returning({ id: domains.id });
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

/**
 * Stores the fingerprint of this server's `APP_SECRET`, in place of that of the server that started before. Calls
 * `onOther` if this server does not accept what was made with that one's secret.
 */
export async function ensureSecretFingerprint(db: Db, keys: Keys, onOther: () => void): Promise<void> {
  const value = keys.current("fingerprint");
  const before = await db.transaction(async (tx) => {
    const [row] = await tx.select().from(secrets).where(eq(secrets.name, APP_SECRET_FINGERPRINT)).for("update");
    if (row && Buffer.compare(row.value, value) === 0) return value;
    await tx
      .insert(secrets)
      .values({ name: APP_SECRET_FINGERPRINT, value })
      .onConflictDoUpdate({ target: secrets.name, set: { value } });
    return row?.value;
  });
  if (before && !isAccepted(before, keys)) onOther();
}

/**
 * Logs an error every ten minutes while the server that started last has another `APP_SECRET`: each of the two then
 * refuses the sessions of the other, and cannot read what the other has sealed.
 */
export function watchSecretFingerprint({
  db,
  keys,
  log,
  lookEveryMs = LOOK_EVERY_MS,
}: Pick<SharedDomainWatch, "db" | "log" | "lookEveryMs"> & { keys: Keys }): Disposable {
  const say = throttleReports(SAY_EVERY_MS, () =>
    log.error("another server has another APP_SECRET, and each refuses the sessions and stored secrets of the other"),
  );
  return lookRegularly(async () => {
    const [row] = await db.select().from(secrets).where(eq(secrets.name, APP_SECRET_FINGERPRINT));
    if (row && !isAccepted(row.value, keys)) say(undefined);
  }, lookEveryMs);
}

const isAccepted = (fingerprint: Uint8Array, keys: Keys): boolean =>
  [keys.current("fingerprint"), keys.previous("fingerprint")].some(
    (known) => known !== undefined && Buffer.compare(known, fingerprint) === 0,
  );
