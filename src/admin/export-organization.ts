/**
 * `export`: writes everything an organization has to standard output, as the same archive that members download. It
 * contains no hashes and no sealed secrets, and no figures, which are sums of the rest.
 */
import { plural } from "@/core/plural";
import { type ExpiredClicks, writeArchive } from "@/platform/archive/write";
import type { Database } from "@/platform/db/client";
import { organizationNamed } from "./find";
import { type CommandOutcome, noOrganization } from "./outcome";
import { OutputError, writeToOutput } from "./standard-output";

export async function exportOrganization(
  { db, sql }: Pick<Database, "db" | "sql">,
  name: string,
  write: (bytes: Uint8Array) => Promise<void> = writeToOutput,
): Promise<CommandOutcome> {
  const organization = await organizationNamed(db, name);
  if (!organization) return noOrganization(name);
  let rows = 0;
  let expired = "";
  try {
    for await (const part of writeArchive({ sql, orgId: organization.id, startedAt: Date.now() })) {
      await write(part.bytes);
      rows += part.rows;
      if (part.expiredClicks) expired = expiredText(part.expiredClicks);
    }
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    return { ok: false, message: `The archive is not complete, so delete it. ${error.message}` };
  }
  console.error(`${plural(rows, "row")} of ${organization.slug}${expired}`);
  return { ok: true, message: "" };
}

const expiredText = ({ count, before }: ExpiredClicks): string =>
  `, without ${plural(count, "click")} before ${before.slice(0, 10)} that are no longer kept one by one: they will be ` +
  "former clicks of their links wherever it is imported";
