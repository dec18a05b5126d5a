/** A spool's row in Postgres: which process may apply it, and how much of it is applied. */
import { isBefore, type Position } from "../spool/segment-reader";
import type { SpoolClaim } from "../spool/spool-claim";
import type { SpoolIdentity } from "./batch";
import type { ClickDatabase } from "./click-database";

export type SpoolRegistration =
  | { isOurs: true; identity: SpoolIdentity; applied: Position }
  /** A process with a copy of the folder has taken the spool. */
  | { isOurs: false };

/** Creates the row if there is none, or takes it over from the folder's previous process. */
export async function registerSpool(
  database: ClickDatabase,
  { id, incarnations, from, ownFrom }: SpoolClaim,
): Promise<SpoolRegistration> {
  const sql = database.reader;
  const incarnation = incarnations.at(-1) ?? id;
  await sql.unsafe(INSERT_SPOOL, [id, incarnation, from.segment, from.offset]);
  const row = await readSpool(database, id);
  if (!row) throw new Error(`Spool ${id} has lost its database row.`);
  const identity = { id, incarnation, writer: row.writer };
  if (row.incarnation === incarnation) return { isOurs: true, identity, applied: row.applied };
  if (row.incarnation !== null && !incarnations.includes(row.incarnation)) return { isOurs: false };
  // A position in segments that no copy holds was reached in a copy's own segments, and means nothing for these.
  const own = { segment: ownFrom, offset: 0 };
  const applied = isBefore(row.applied, own) ? row.applied : own;
  const taken = await sql.unsafe(TAKE_SPOOL, [id, incarnation, applied.segment, applied.offset, row.incarnation]);
  if (taken.length === 0) throw new Error(`Two processes took spool ${id} at once.`);
  return { isOurs: true, identity, applied };
}

/** Returns undefined if Postgres does not have the spool, or no longer has it. */
export async function readSpool(
  database: ClickDatabase,
  id: string,
): Promise<{ writer: number; incarnation: string | null; applied: Position } | undefined> {
  const [row] = await database.reader.unsafe<SpoolRow[]>(SELECT_SPOOL, [id]);
  if (!row) return undefined;
  const { writer, incarnation, segment, position } = row;
  return { writer, incarnation, applied: { segment, offset: Number(position) } };
}

interface SpoolRow {
  writer: number;
  incarnation: string | null;
  segment: number;
  /** A bigint, which the driver returns as text. */
  position: string;
}

const SELECT_SPOOL = "select writer, incarnation, segment, position from spools where id = $1::text::uuid";
const INSERT_SPOOL = `insert into spools (id, incarnation, segment, position) values ($1::text::uuid, $2::text::uuid, $3, $4)
  on conflict (id) do nothing`;
const TAKE_SPOOL = `update spools set incarnation = $2::text::uuid, segment = $3, position = $4
  where id = $1::text::uuid and incarnation is not distinct from $5::text::uuid returning id`;
