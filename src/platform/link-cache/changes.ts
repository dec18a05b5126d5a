/**
 * Changes of links, told to every server exactly when they commit (`NOTIFY` in the writing transaction). A message is
 * `id version address`, far below the 8,000 bytes Postgres allows. Whoever lost the listening connection may have missed
 * some, and is told so when it is back.
 */
import { sql } from "drizzle-orm";
import type { Sql } from "postgres";
import type { Db } from "@/platform/db/tx";

const CHANNEL = "waymark_links";

export interface LinkChange {
  id: string;
  version: number;
  key: string;
}

export const notifyLinkChange = (tx: Db, { id, version, key }: LinkChange) =>
  tx.execute(sql`select pg_notify(${CHANNEL}, ${`${id} ${version} ${key}`})`);

export interface ChangeListener {
  onChange(change: LinkChange): void;
  /** The connection is (again) there: what happened meanwhile is unknown. */
  onListening(): void;
}

/** Listens on a connection of its own; postgres.js reconnects by itself. Returns what ends it. */
export async function listenForLinkChanges(client: Sql, listener: ChangeListener): Promise<() => Promise<void>> {
  const { unlisten } = await client.listen(
    CHANNEL,
    (text) => listener.onChange(parseChange(text)),
    listener.onListening,
  );
  return unlisten;
}

function parseChange(text: string): LinkChange {
  const [id = "", version = "", ...key] = text.split(" ");
  return { id, version: Number(version), key: key.join(" ") };
}
