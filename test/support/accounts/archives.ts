/** Creates and reads archives (exports) of organizations. */
import { Readable } from "node:stream";
import { createGunzip, gzipSync } from "node:zlib";
import type { Sql } from "postgres";
import { importOrganization } from "@/admin/import-organization";
import type { CommandOutcome } from "@/admin/outcome";
import { TAR_END, tarFiles } from "@/core/archive/tar";
import { writeArchive } from "@/platform/archive/write";
import type { Database } from "@/platform/db/client";

/** Lines of the numbered JSONL files by their folder; lines of other files by file name. */
export type ArchiveContent = Map<string, string[]>;

export async function contentOf(archive: Uint8Array): Promise<ArchiveContent> {
  const content: ArchiveContent = new Map();
  for await (const { name, content: bytes } of tarFiles(Readable.from([archive]).pipe(createGunzip()))) {
    const folder = name.replace(/\/\d+\.jsonl$/, "");
    const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
    content.set(folder, [...(content.get(folder) ?? []), ...lines]);
  }
  return content;
}

export async function archiveOf(sql: Sql, orgId: string): Promise<Uint8Array> {
  const parts = await Array.fromAsync(writeArchive({ sql, orgId, startedAt: 0 }));
  return Buffer.concat(parts.map(({ bytes }) => bytes));
}

/** Imports an archive by the operator's command. Its message is what the command told, or why nothing was imported. */
export async function importArchive(database: Pick<Database, "db" | "sql">, file: string): Promise<CommandOutcome> {
  const told: string[] = [];
  const { ok, message } = await importOrganization(database, file, async (text) => void told.push(text));
  return { ok, message: ok ? told.join("\n") : message };
}

/** Inserts a finished export with an empty archive, and returns its id. */
export async function addExport({ sql }: { sql: Sql }, orgId: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`
    insert into organization_exports (id, org_id, status, parts, finished_at, expires_at)
    values (${id}, ${orgId}, 'done', 1, now(), now() + interval '1 day')`;
  await sql`insert into export_parts (export_id, number, content) values (${id}, 1, ${gzipSync(TAR_END)})`;
  return id;
}
