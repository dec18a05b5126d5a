/**
 * `export`: writes everything an organization has to standard output, as the same archive that members download. It
 * contains no hashes and no sealed secrets, and no figures, which are sums of the rest.
 */
import { plural } from "@/core/plural";
import { type ExpiredClicks, writeArchive } from "@/platform/archive/write";
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
  let expired = "";
  for await (const part of writeArchive({ sql, orgId: organization.id, startedAt: Date.now() })) {
    await write(part.bytes);
    rows += part.rows;
    if (part.expiredClicks) expired = expiredText(part.expiredClicks);
  }
  console.error(`${plural(rows, "row")} of ${organization.slug}${expired}`);
  return { ok: true, message: "" };
}

const expiredText = ({ count, before }: ExpiredClicks): string =>
  `, without ${plural(count, "click")} before ${before.slice(0, 10)} that are no longer kept one by one: their figures ` +
  "will be missing wherever it is imported";

function toStandardOutput(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())));
}
