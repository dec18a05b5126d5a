/**
 * Visits that were erased stay so. A spool may be applied again from its start: a copy of its volume is started, Postgres was
 * set back. What is in Postgres already is known by its id, which an erased visit has lost. So a keyed hash of that id is
 * kept (`erased_visits`), and a batch that brings such a visit is brought in without it.
 *
 * Bound: segments are kept for an hour, hashes for a day, after which retention deletes them. A copy that is older may bring
 * back what was erased since. Hashes are looked at last in a batch's transaction: whoever erases meanwhile holds up the rows
 * that come again, and has committed the hashes by then.
 */
import type { Sql } from "postgres";
import { textArrayLiteral } from "@/platform/db/array-literals";
import type { CopyStatements, Statements } from "@/platform/db/statements";
import type { VisitorSecret } from "@/platform/visitor";
import type { EnrichedClick } from "./enrich/enrich";

const KEPT = "1 day";
const HASH_HEX_LENGTH = 32;

/** In hexadecimal. No visitor's traits begin like that, so that no hash is a visitor's key. */
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

/** Sends for it: what is erased later is not among the visits that the transaction has brought in before. */
export function isAnyErased(tx: CopyStatements): Promise<boolean> {
  const found = tx.send("select 1 from erased_visits limit 1").then((rows) => rows.length > 0);
  // Whoever waits for it later is told, too.
  found.catch(() => undefined);
  return found;
}

/** Rejects with `ErasedVisitsError` where some of them were. */
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

/** Returns how many there are. */
export async function forgetErased(sql: Sql): Promise<number> {
  return (await sql`delete from erased_visits where erased_at < now() - ${KEPT}::interval`).count;
}
