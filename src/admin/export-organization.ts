/**
 * `export`: writes everything an organization has to standard output, as the same archive that members download. It
 * contains no hashes and no sealed secrets, and no figures, which are sums of the rest.
 */
import { plural } from "@/core/plural";
import { writeArchive } from "@/platform/archive/write";
import type { Database } from "@/platform/db/client";
import { organizationNamed } from "./find";
import { type CommandOutcome, noOrganization } from "./outcome";

export async function exportOrganization(
  { db, sql }: Pick<Database, "db" | "sql">,
  name: string,
  write = toStandardOutput,
): Promise<CommandOutcome> {
  const organization = await organizationNamed(db, name);
  if (!organization) return noOrganization(name);
  let rows = 0;
  for await (const part of writeArchive({ sql, orgId: organization.id, startedAt: Date.now() })) {
    await write(part.bytes);
    rows += part.rows;
  }
  console.error(`${plural(rows, "row")} of ${organization.slug}`);
  return { ok: true, message: "" };
}

function toStandardOutput(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())));
}
