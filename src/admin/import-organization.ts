/**
 * `import`: imports an organization from an archive that `export` wrote or a member downloaded, then recounts its
 * figures. What was imported and what was not is told before that: only this process knows it, and a recount takes long
 * enough to be interrupted.
 */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { ensurePartitions } from "@/clicks/partitions";
import { plural } from "@/core/plural";
import { verifyFigures } from "@/figures/verify/verify";
import { type ArchiveOutcome, readArchive } from "@/platform/archive/read";
import { ArchiveFault } from "@/platform/archive/records";
import type { Database } from "@/platform/db/client";
import { auditLogs } from "@/platform/db/schema";
import type { CommandOutcome } from "./outcome";
import { tellResult } from "./standard-output";

/** How many addresses of each kind the outcome names. */
const NAMED_MAX = 20;

export async function importOrganization(
  { db, sql }: Pick<Database, "db" | "sql">,
  file: string,
  tell: (text: string) => Promise<void> = tellResult,
): Promise<CommandOutcome> {
  let outcome: ArchiveOutcome;
  // Before the first click on a new server there are none, and to move millions of rows into them stops all others.
  await ensurePartitions(sql, new Date());
  try {
    outcome = await readArchive(sql, contentOf(file));
  } catch (error) {
    if (error instanceof ArchiveFault) return { ok: false, message: `Nothing was imported: ${error.message}` };
    throw error;
  }
  const { orgId, slug, restored } = outcome;
  await db.insert(auditLogs).values({
    ...{
      id: Bun.randomUUIDv7(),
      orgId,
      action: "organization.import",
      resourceType: "organization",
      resourceId: orgId,
    },
    ...{ actorType: "system" as const, changes: { restored: { from: null, to: restored } } },
  });
  const told = [
    ...leftOver(outcome),
    ...unknownOf(outcome),
    ...taken(outcome),
    ...expired(outcome),
    ...unverified(outcome),
    ...turnedOff(outcome),
    ...accountsOf(outcome),
  ];
  const telling = tell([`Imported ${slug}: ${listOf(restored)}`, ...told].join("\n"));
  // The figures are counted also if nobody could be told.
  telling.catch(() => {});
  console.error(
    `Counting the figures of ${slug}; if this is interrupted, continue with: bun run admin verify-rollups --org ${orgId} --mend`,
  );
  await verifyFigures(sql, { span: {}, orgId, isRepairing: true, onDifference: () => {} });
  await telling;
  return { ok: true, message: `Counted the figures of ${slug}` };
}

/** Decompresses the file. A broken file is reported like any other that is not an archive. */
async function* contentOf(file: string): AsyncGenerator<Uint8Array> {
  const bytes = createGunzip();
  pipeline(createReadStream(file), bytes, () => {});
  try {
    yield* bytes;
  } catch (error) {
    if (Object(error).code === "ENOENT") throw new ArchiveFault(`there is no file ${file}`);
    throw new ArchiveFault(error instanceof Error ? error.message : String(error));
  }
}

const listOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, rows]) => [rows, name.replaceAll("_", " ")] as const)
    .map(([rows, many]) => plural(rows, many.replace(/ies$/, "y").replace(/s$/, ""), many))
    .join(", ");

const leftOver = ({ leftOut }: ArchiveOutcome): string[] =>
  Object.keys(leftOut).length > 0
    ? [`Not imported, because a secret is missing or the name is already taken: ${listOf(leftOut)}. Create them again.`]
    : [];

const unknownOf = ({ unknown }: ArchiveOutcome): string[] =>
  unknown.length > 0
    ? [
        `Not imported, because this version does not know it: ${firstOf(unknown)}. ` +
          "If a later version has written the archive, update this server, delete the organization here, and import it again.",
      ]
    : [];

const taken = ({ takenAddresses }: ArchiveOutcome): string[] =>
  takenAddresses.length > 0
    ? [
        "Links and bio pages left out, because other ones have their addresses here: " +
          `${firstOf(takenAddresses)}. Create them again at other addresses.`,
      ]
    : [];

function expired({ expiredClicks, formerClicks }: ArchiveOutcome): string[] {
  if (!expiredClicks) return [];
  const missing = Math.max(0, expiredClicks.count - formerClicks);
  const before = `before ${expiredClicks.before.slice(0, 10)}`;
  const told = [
    [formerClicks, "Former clicks of their links here"],
    [missing, "Missing from the figures"],
  ] as const;
  return told.flatMap(([clicks, what]) =>
    clicks === 0
      ? []
      : [`${what}, because the other service no longer kept them one by one: ${plural(clicks, "click")} ${before}.`],
  );
}

const unverified = ({ unverifiedHosts }: ArchiveOutcome): string[] =>
  unverifiedHosts.length > 0
    ? [
        "Domains whose links are not served, because another organization or this service itself has their hosts here: " +
          `${firstOf(unverifiedHosts)}. Verify them again once the hosts are free.`,
      ]
    : [];

const turnedOff = ({ unlockedLinks }: ArchiveOutcome): string[] =>
  unlockedLinks.length > 0
    ? [
        "Links turned off, because archives do not contain their passwords, without which they would be open to " +
          `everyone: ${firstOf(unlockedLinks)}. Set new passwords, then turn them on again.`,
      ]
    : [];

function accountsOf({ matchedEmails, unconfirmedEmails }: ArchiveOutcome): string[] {
  const matched = `Members who keep the account they have here, found by their email addresses: ${firstOf(matchedEmails)}.`;
  const unconfirmed =
    "Members left out, because the account with their email address here has not confirmed that address and may be " +
    `someone else's: ${firstOf(unconfirmedEmails)}. Invite them again once they have confirmed it; if no owner is ` +
    "left, use: bun run admin add-owner";
  return [...(matchedEmails.length > 0 ? [matched] : []), ...(unconfirmedEmails.length > 0 ? [unconfirmed] : [])];
}

function firstOf(addresses: readonly string[]): string {
  const further = addresses.length - NAMED_MAX;
  return addresses.slice(0, NAMED_MAX).join(", ") + (further > 0 ? ` and ${further} more` : "");
}
