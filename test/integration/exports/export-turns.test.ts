/** Turns: one organization's long archive does not keep those of others waiting. No service runs here. */
import { afterAll, expect, test } from "bun:test";
import { contentOf } from "@test/support/accounts/archives";
import { makeAccount } from "@test/support/accounts/made-account";
import { createDatabase } from "@test/support/servers/postgres";
import { makeQuickFolder } from "@test/support/servers/quick-folder";
import { readConfig } from "@/config";
import type { OrgId } from "@/core/ids";
import { readPart } from "@/modules/exports/store";
import { createArchiveReader, createExportWork } from "@/modules/exports/work";
import { systemClock } from "@/platform/clock";
import { ensureSharedDomain } from "@/platform/shared-rows";
import { createLog } from "@/platform/telemetry/log";

const { db, sql, url, drop } = await createDatabase();
afterAll(drop);
const config = readConfig({ DATABASE_URL: url, DATA_DIR: await makeQuickFolder(), SHORT_DOMAIN: "wm.example" });
const shared = await ensureSharedDomain(db, config.shortDomain);
const never = new AbortController().signal;
let newcomers = 0;

/** Creates an organization with that many links, and requests its archive. */
async function requested(links: number): Promise<string> {
  const name = `Acme ${++newcomers}`;
  const newcomer = { name: "Ada", email: `user${newcomers}@example.com`, organizationName: name };
  const { session } = await makeAccount({ db, config, clock: systemClock }, newcomer);
  const orgId = session.organizations[0]?._id as OrgId;
  await sql`
    insert into links (id, org_id, domain_id, slug, slug_key, default_url)
    select gen_random_uuid(), ${orgId}, ${shared}, ${name} || n, ${name} || n, 'https://example.com/'
    from generate_series(1, ${links}) as n`;
  const id = Bun.randomUUIDv7();
  await sql`insert into organization_exports (id, org_id, created_at) values (${id}, ${orgId}, clock_timestamp())`;
  return id;
}

const stateOf = async (id: string) =>
  (await sql`select status, parts, leased_by as "leasedBy" from organization_exports where id = ${id}`)[0];

async function downloaded(id: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let number = 1; ; number++) {
    const part = await readPart(db, id, number);
    if (!part) return Buffer.concat(parts);
    parts.push(part);
  }
}

test("archives are written in turns, the one that has waited longest first", async () => {
  const ids = [await requested(1_000), await requested(0), await requested(1_000)];
  const exports = createExportWork({
    ...{ db, clock: systemClock, log: createLog(() => {}), sliceMs: 0 },
    archives: createArchiveReader({ sql, alsoOf: () => [] }),
  });
  const states = () => Promise.all(ids.map(stateOf));
  for (const _ of ids) await exports.workOff(never);
  expect(await states()).toEqual(ids.map(() => ({ status: "running", parts: 1, leasedBy: null })));
  while ((await stateOf(ids[1] ?? ""))?.status === "running") await exports.workOff(never);
  expect((await states()).map((state) => state?.status)).toEqual(["running", "done", "running"]);
  while (await exports.workOff(never));
  expect((await states()).map((state) => state?.status)).toEqual(["done", "done", "done"]);
  const lines = async (id: string) => (await contentOf(await downloaded(id))).get("tables/links")?.length;
  expect(await Promise.all(ids.map(lines))).toEqual([1_000, undefined, 1_000]);
});
