/** The stored sums of former clicks equal those of the links, whatever imports do, and while they do it. */
import { describe, expect, test } from "bun:test";
import { ledgerOf, runImport, upload, waitForImport } from "@test/support/outside/imports";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { type Account, startTestService } from "@test/support/service";
import type { ImportOptionsInput } from "@/contract/links/imports";
import type { OrgId } from "@/core/ids";
import { importedClicksReader } from "@/modules/analytics/imported-clicks";
import { readStoredSums, storeImportedSums } from "@/modules/analytics/imported-sums";

const service = await startTestService();
const { sql } = service;
const shared: string = (await sql`select id from domains where org_id is null`)[0]?.id;

const MAY = { from: Date.UTC(2024, 4, 1), to: Date.UTC(2024, 5, 1) };
const MAY_DAYS = { first: "2024-05-01", last: "2024-05-31" };
const running = () => new AbortController().signal;
const store = () => storeImportedSums(sql, running());

// The service itself stores them every minute, unless another server does.
await sql`insert into periodic_jobs (name, due_at, leased_by, leased_until) values ('store sums of former clicks', now(),
  ${crypto.randomUUID()}, now() + interval '50 minutes')`;

interface OldLine {
  slug: string;
  clicksBefore?: number;
  clicksByDay?: object;
}

/** Writes lines of our own file, of links that another server exported. */
const linesOf = (...links: OldLine[]): string =>
  links
    .map((link) =>
      JSON.stringify({ _id: crypto.randomUUID(), domain: "old.test", defaultUrl: "https://acme.com/", ...link }),
    )
    .join("\n");

const fileOf = (text: string, options: ImportOptionsInput = {}) => ({
  ...{ text, name: "links.jsonl", options: { domainMap: { "*": shared }, ...options } },
});

async function imported(account: Account, text: string, options?: ImportOptionsInput) {
  const { _id } = await runImport(service, account, fileOf(text, options));
  return { id: _id, rows: await ledgerOf(service, account, _id) };
}

async function rolledBack(account: Account, id: string): Promise<void> {
  const { orgId, token } = account;
  await service.call("POST", `/api/v1/organizations/${orgId}/imports/${id}/rollback`, {
    ...{ token, body: { force: true } },
  });
  await waitForImport(service, account, id);
}

/** Returns what an overview shows of all links in May. */
const shown = async ({ orgId }: Account) =>
  (await importedClicksReader({ sql, clock: Date.now })(orgId as OrgId, {}, MAY)).clicksBefore;
const stored = ({ orgId }: Account) => readStoredSums(sql, orgId as OrgId, MAY_DAYS);

/** Stores the sums, and expects the same figures from these as from the links. */
async function expectSame(account: Account): Promise<void> {
  await sql`delete from former_click_sums where org_id = ${account.orgId}`;
  const counted = await shown(account);
  await store();
  const { count = 0, links = 0, byDay = [] } = counted ?? {};
  expect(await stored(account)).toEqual({ count, links, byDay });
  expect(await shown(account)).toEqual(counted);
}

test("overviews read them, and no others once an import, a replacement or a rollback has changed the clicks", async () => {
  const account = await service.register();
  const first = await imported(
    account,
    linesOf(
      { slug: "su-a", clicksBefore: 100, clicksByDay: { "2024-04-30": 3, "2024-05-02": 12, "2024-06-01": 7 } },
      { slug: "su-b", clicksBefore: 20, clicksByDay: { "2024-05-02": 5 } },
    ),
  );
  await expectSame(account);
  // Shows that these are what an overview reads.
  await sql`update former_click_sums set clicks = 999, counts = '{1,2,4}' where org_id = ${account.orgId}`;
  expect(await shown(account)).toMatchObject({ count: 999, byDay: [{ date: "2024-05-02", count: 2 }] });
  expect(await store()).toBe(0);

  const steps: (() => Promise<unknown>)[] = [
    () => imported(account, linesOf({ slug: "su-c", clicksBefore: 4, clicksByDay: { "2024-05-31": 4 } })),
    () =>
      imported(account, "domain,slug,url,clicks\nq.test,su-a,https://acme.com/,14\n", {
        ...{ onConflict: "replace", domainMap: { "q.test": shared } },
      }),
    () =>
      imported(account, linesOf({ slug: "su-b", clicksBefore: 9, clicksByDay: { "2024-05-09": 9 } }), {
        onConflict: "replace",
      }),
    () => rolledBack(account, first.id),
  ];
  for (const step of steps) {
    await store();
    expect(await stored(account)).toBeDefined();
    await step();
    expect(await stored(account)).toBeUndefined();
    await expectSame(account);
  }
});

test("a link that is deleted keeps its clicks there until its next import takes them over", async () => {
  const account = await service.register();
  const line = { slug: "su-d", clicksBefore: 20, clicksByDay: { "2024-05-02": 20 } };
  const { rows } = await imported(account, linesOf(line));
  await store();
  const { orgId, token } = account;
  await service.call("DELETE", `/api/v1/organizations/${orgId}/links/${rows[0]?.linkId}`, { token });
  expect(await stored(account)).toMatchObject({ count: 20 });
  await expectSame(account);
  await imported(account, linesOf({ slug: "su-d", clicksBefore: 30 }));
  expect(await stored(account)).toBeUndefined();
  await expectSame(account);
});

describe("while an import is under way", () => {
  test("nothing is stored, and what was stored before its last step is not used after it", async () => {
    const account = await service.register();
    await imported(account, linesOf({ slug: "su-e", clicksBefore: 5, clicksByDay: { "2024-05-02": 5 } }));
    // Storing has read the sums and waits, while the next import is done.
    await sql`create function wait_for_test() returns trigger as $$
      begin perform pg_advisory_xact_lock(7); return new; end $$ language plpgsql`;
    await sql`create trigger waits before insert on former_click_sums for each row execute function wait_for_test()`;
    const { storing } = await whileLocked(sql, "select pg_advisory_xact_lock(7)", async () => {
      const storing = store();
      await waitUntilBlocked(sql, 1);
      await imported(account, linesOf({ slug: "su-f", clicksBefore: 6, clicksByDay: { "2024-05-03": 6 } }));
      return { storing };
    });
    expect(await storing).toBe(1);
    await sql`drop function wait_for_test cascade`;
    expect(await stored(account)).toBeUndefined();
    expect(await shown(account)).toMatchObject({ count: 11, inRange: 11 });
    await expectSame(account);
  });

  test("each read equals what the links have at that moment", async () => {
    const account = await service.register();
    const lines = Array.from({ length: 1_200 }, (_, index) => ({
      ...{ slug: `su-many-${index}`, clicksBefore: 3, clicksByDay: { "2024-05-02": 1, "2024-05-03": 2 } },
    }));
    const { body } = await upload(service, account, fileOf(linesOf(...lines)));
    let isDone = false;
    const done = waitForImport(service, account, body._id).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await Bun.sleep(50);
      await store();
      const { read, counted } = await sql.begin("isolation level repeatable read read only", async (snapshot) => {
        const [row] = await snapshot<{ counted: number }[]>`
          select coalesce(sum(clicks_before), 0)::float8 as counted from links where org_id = ${account.orgId}`;
        return { read: await readStoredSums(snapshot, account.orgId as OrgId, MAY_DAYS), counted: row?.counted ?? 0 };
      });
      if (read) expect(read.count).toBe(counted);
    }
    await done;
    await store();
    expect(await stored(account)).toMatchObject({ count: 3_600, links: 1_200 });
    await expectSame(account);
  });
});
