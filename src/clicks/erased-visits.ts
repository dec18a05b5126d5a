/**
 * Keeps erased visits erased. A spool may be applied again from its start: when a copy of its volume is started, or
 * Postgres is restored to an earlier state. Visits that Postgres already has are recognized by their id, which an
 * erased visit has lost. So a keyed hash of that id is kept (`erased_visits`), and a batch that contains the visit is
 * applied without it.
 *
 * Bounds: segments are kept for an hour, and hashes for a day, after which retention deletes them. An older copy may
 * bring back what was erased meanwhile. A batch's transaction checks the hashes last: a concurrent erasure blocks the
 * insertion of rows with the same ids, and has committed the hashes by the time they can be inserted.
 */
import type { Sql } from "postgres";
import { textArrayLiteral } from "@/platform/db/array-literals";
import type { CopyStatements, Statements } from "@/platform/db/statements";
import type { VisitorSecret } from "@/platform/visitor";
import type { EnrichedClick } from "./enrich/enrich";

const KEPT = "1 day";
const HASH_HEX_LENGTH = 32;

/** Returns the hash in hexadecimal. No visitor's traits begin with `erased`, so no hash equals a visitor's key. */
const erasedHash = ({ keyed }: Pick<VisitorSecret, "keyed">, id: string): string =>
  keyed.copy().update(`erased\0${id}`).digest("hex").slice(0, HASH_HEX_LENGTH);

const hashes = (hex: readonly string[]) => textArrayLiteral(hex.map((hash) => `\\x${hash}`));

export class ErasedVisitsError extends Error {
  override name = "ErasedVisitsError";

  constructor(readonly ids: ReadonlySet<string>) {
    super(`${ids.size} of these visits were erased.`);
  }
}

export async function rememberErased(tx: Statements, secret: VisitorSecret, ids: readonly string[]): Promise<void> {
  await tx.run("insert into erased_visits (hash) select unnest($1::text::bytea[]) on conflict do nothing", [
    hashes(ids.map((id) => erasedHash(secret, id))),
  ]);
}

/**
 * Sends the query whether anything has been erased. A visit that is erased after it runs cannot be among the visits
 * that the transaction has already inserted.
 */
export function isAnyErased(tx: CopyStatements): Promise<boolean> {
  const found = tx.send("select 1 from erased_visits limit 1").then((rows) => rows.length > 0);
  // Only marks the rejection as handled: a later `await` still rejects.
  found.catch(() => undefined);
  return found;
}

/** Rejects with `ErasedVisitsError` if some of these clicks were erased. */
export async function refuseErased(
  tx: Statements,
  secret: VisitorSecret,
  clicks: readonly EnrichedClick[],
): Promise<void> {
  const ids = new Map(clicks.map(({ record: { id } }) => [erasedHash(secret, id), id]));
  const found = await tx.run<{ hash: string }>(
    "select encode(hash, 'hex') as hash from erased_visits where hash = any($1::text::bytea[])",
    [hashes([...ids.keys()])],
  );
  if (found.length > 0) throw new ErasedVisitsError(new Set(found.map(({ hash }) => ids.get(hash) ?? "")));
}

/** Deletes hashes that are more than a day old and returns how many there were. */
export async function forgetErased(sql: Sql): Promise<number> {
  return (await sql`delete from erased_visits where erased_at < now() - ${KEPT}::interval`).count;
}
