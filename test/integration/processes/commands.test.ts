/** The project's commands as a newcomer runs them: each in its own process, which ends by a signal or on its own. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, open, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { SURROUNDINGS } from "@test/support/service-process";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";

const database = await createDatabase();
const dataDir = await mkdtemp(join(tmpdir(), "waymark-test-"));
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Ended {
  code: number;
  said: string;
  complained: string;
}

async function start(command: string[], given: Record<string, string> = {}) {
  const port = await takePort();
  const env = { ...SURROUNDINGS, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: database.url, ...given };
  const child = Bun.spawn([process.execPath, ...command], { stdout: "pipe", stderr: "pipe", env });
  const ended: Promise<Ended> = Promise.all([child.stdout.text(), child.stderr.text(), child.exited]).then(
    ([said, complained, code]) => ({ said, complained, code }),
  );
  return { child, port, ended };
}

const run = async (command: string[], env?: Record<string, string>) => (await start(command, env)).ended;

/** A file that takes nothing, as on a full disk. Linux has it. */
const FULL = "/dev/full";
const hasFull = existsSync(FULL);

async function runOntoFullDisk(command: string[]): Promise<Omit<Ended, "said">> {
  const file = await open(FULL, "w");
  const env = { ...SURROUNDINGS, DATA_DIR: dataDir, DATABASE_URL: database.url };
  const child = Bun.spawn([process.execPath, ...command], { stdout: file.fd, stderr: "pipe", env });
  const [complained, code] = await Promise.all([child.stderr.text(), child.exited]);
  await file.close();
  return { complained, code };
}

test.each([
  ["the operator's command", ["src/admin.ts", "organizations"]],
  ["a migration", ["drizzle/migrate.ts"]],
])("%s that is told to stop leaves no Postgres of its own behind", async (_what, command) => {
  for (;;) {
    const folder = await mkdtemp(join(tmpdir(), "waymark-test-"));
    const { child, ended } = await start(command, { DATA_DIR: folder, DATABASE_URL: "" });
    const pidFile = join(folder, "postgres/cluster/postmaster.pid");
    while (!existsSync(pidFile) && child.exitCode === null) await Bun.sleep(1);
    child.kill("SIGINT");
    const { code } = await ended;
    expect(existsSync(pidFile)).toBe(false);
    await rm(folder, { recursive: true, force: true });
    // It had done its work before a busy machine gave this process its turn.
    if (code === 0) continue;
    expect(code).toBe(130);
    return;
  }
});

test.each([
  ["the operator's command", ["src/admin.ts", "organizations"]],
  ["a migration", ["drizzle/migrate.ts"]],
])("%s names the setting that is wrong", async (_what, command) => {
  const elsewhere = new URL(database.url);
  elsewhere.pathname = "/missing";
  expect(await run(command, { DATABASE_DIRECT_URL: elsewhere.href })).toMatchObject({
    code: 1,
    complained: expect.stringMatching(/^DATABASE_DIRECT_URL: Postgres refuses the connection: [^\n]+\n$/),
  });
  expect(await run(command, { WORKERS: "none" })).toMatchObject({
    code: 1,
    complained: expect.stringMatching(/^Invalid settings:\n {2}WORKERS: [^\n]+\n$/),
  });
});

/** Runs the command as a user of the database with these rights alone. */
async function runAsStranger(command: string[], rights: readonly string[]) {
  const [role, password] = [`stranger_${crypto.randomUUID().slice(0, 8)}`, "of a stranger"];
  await database.sql.unsafe(`create role ${role} login password '${password}'`);
  for (const right of rights) await database.sql.unsafe(`grant ${right} to ${role}`);
  const outcome = await run(command, {
    DATABASE_URL: Object.assign(new URL(database.url), { username: role, password }).href,
  });
  await database.sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  return outcome;
}

test.each([
  ["the operator's command", ["src/admin.ts", "organizations"]],
  ["a migration", ["drizzle/migrate.ts"]],
  ["the service", ["src/main.ts"]],
])("%s says in a sentence that the database's user may not use the tables", async (_what, command) => {
  expect(await runAsStranger(command, [])).toMatchObject({
    code: 1,
    complained: "DATABASE_URL: this user may not use the tables: permission denied for schema drizzle\n",
  });
});

test("the operator's command says in a sentence which table the database's user may not use", async () => {
  const rights = ["usage on schema drizzle", "select on drizzle.__drizzle_migrations"];
  expect(await runAsStranger(["src/admin.ts", "organizations"], rights)).toMatchObject({
    code: 1,
    complained: expect.stringMatching(/^The database's user may not do this: permission denied for table \w+\n$/),
  });
});

/** Permissions alone do not tell that a folder of the system takes no files from root. */
test.each(
  ["/dev/null", "/proc"].flatMap((folder) => [
    { what: "the operator's command", command: ["src/admin.ts", "organizations"], folder },
    { what: "a migration", command: ["drizzle/migrate.ts"], folder },
  ]),
)("$what names $folder as a folder that it cannot use", async ({ command, folder }) => {
  expect(await run(command, { DATABASE_URL: "", DATA_DIR: folder })).toMatchObject({
    code: 1,
    complained: expect.stringMatching(
      /^DATA_DIR: \/\w+(\/null)? is not a folder that this user can write to \(E\w+\)\n$/,
    ),
  });
});

describe("the service", () => {
  test("reports every invalid setting and does not start", async () => {
    const { code, complained } = await run(["src/main.ts"], { PORT: "x", DEFAULT_PLAN: "gold" });
    expect(code).toBe(1);
    expect(complained).toContain("PORT: expected an integer from 0 to 65535");
    expect(complained).toContain("DEFAULT_PLAN: expected one of free, pro, scale, unlimited");
  });

  test("reports that its port is in use and exits", async () => {
    const other = Bun.serve({ port: 0, fetch: () => new Response() });
    const { port } = other;
    const { code, complained } = await run(["src/main.ts"], { PORT: String(port) });
    await other.stop(true);
    expect({ code, complained }).toEqual({ code: 1, complained: `PORT: ${port} is in use by another process\n` });
  });

  test("prints its addresses at start, and exits cleanly on SIGTERM", async () => {
    const { child, port, ended } = await start(["src/main.ts"]);
    await untilHealthy(port);
    child.kill("SIGTERM");
    const { code, said, complained } = await ended;
    expect({ code, complained }).toEqual({ code: 0, complained: "" });
    expect(said).toContain(`Waymark listens on http://localhost:${port}`);
    expect(said).toContain(`docs   http://localhost:${port}/docs`);
    expect(said).toContain(`curl http://localhost:${port}/health`);
  });
});

describe("demo", () => {
  test("creates a dozen links, visits them and prints a summary", async () => {
    const { code, said, complained } = await run([
      "test/support/demo.ts",
      "--visits=120",
      "--exit",
      `--database=${database.url}`,
    ]);
    expect({ code, complained }).toEqual({ code: 0, complained: "" });
    expect(said).toContain("An organization with 12 links; 120 visits follow");
    expect(said).toMatch(/^[1-9]\d* clicks of [1-9]\d* visitors/m);
  });
});

describe("admin", () => {
  test("prints help for all commands, or for the one whose arguments are missing", async () => {
    const unknown = await run(["src/admin.ts", "dance"]);
    expect(unknown.code).toBe(2);
    expect(unknown.complained).toContain("There is no command dance.");
    expect(unknown.complained).toContain("reset-password <email>");
    expect(await run(["src/admin.ts", "plan", "acme"])).toMatchObject({
      code: 2,
      complained: expect.stringMatching(
        /^Usage: bun run admin plan <organization> <plan>\n {2}sets the plan: [^\n]+\n$/,
      ),
    });
    const help = await run(["src/admin.ts", "--help"]);
    expect(help).toMatchObject({ code: 0, complained: "", said: expect.stringContaining("reset-password <email>") });
  });

  test("names an archive that does not exist", async () => {
    expect((await run(["src/admin.ts", "import", "acme.tar.gz"])).complained).toBe(
      "Nothing was imported: there is no file acme.tar.gz\n",
    );
  });

  test.skipIf(!hasFull)("says that an archive is not complete if the disk is full", async () => {
    const [organization] = await database.sql`select slug from organizations limit 1`;
    expect(await runOntoFullDisk(["src/admin.ts", "export", organization?.slug])).toEqual({
      code: 1,
      complained: expect.stringMatching(
        /(?:^|\n)The archive is not complete, so delete it\. Standard output [^\n]+ENOSPC[^\n]+\n$/,
      ),
    });
  });

  test.skipIf(!hasFull)("says that a password that was to be shown once is lost if the disk is full", async () => {
    expect(await runOntoFullDisk(["src/admin.ts", "create-account", "full@example.com", "Ada"])).toEqual({
      code: 1,
      complained: expect.stringMatching(
        /(?:^|\n)The command was carried out, but its result is lost\. [^\n]+ENOSPC[^\n]+\n$/,
      ),
    });
  });

  test.skipIf(!hasFull)("reports an import whose ledger the disk does not take", async () => {
    const [organization] = await database.sql`select slug from organizations limit 1`;
    const [shared] = await database.sql`select hostname from domains where org_id is null`;
    const file = join(dataDir, "links.csv");
    await Bun.write(file, "Link,Destination URL\nold.ly/full1,https://acme.com/1\n");
    await symlink(FULL, `${file}.ledger.csv`);
    const options = ["--org", organization?.slug, "--domain", `old.ly=${shared?.hostname}`, "--dry-run"];
    expect(await run(["src/admin.ts", "import", "bitly", file, ...options])).toMatchObject({
      code: 1,
      complained: expect.stringMatching(
        /\nDry run of bitly: 1 created[^\n]+\nThe ledger could not be written to [^\n]+\n$/,
      ),
    });
  });

  test("sets a plan by slug, and reports an unknown plan or organization", async () => {
    const [organization] = await database.sql`select slug from organizations limit 1`;
    expect(await run(["src/admin.ts", "plan", organization?.slug, "pro"])).toMatchObject({ code: 0 });
    expect(await database.sql`select plan from organizations where slug = ${organization?.slug}`).toMatchObject([
      { plan: "pro" },
    ]);
    expect((await run(["src/admin.ts", "plan", organization?.slug, "gold"])).complained).toContain("no plan gold");
    expect((await run(["src/admin.ts", "plan", "nobody", "pro"])).complained).toContain("no organization nobody");
    expect((await run(["src/admin.ts", "organizations"])).said).toContain(
      `${organization?.slug}  pro  1 member  12 links`,
    );
  });

  test("verifies figures: prints differences, exits with 1 if there are any, and corrects them on request", async () => {
    const verify = (...options: string[]) => run(["src/admin.ts", "verify-rollups", ...options]);
    expect(await verify()).toMatchObject({ code: 0, said: expect.stringMatching(/organizations?: 0 differences\n$/) });
    const [row] = await database.sql`
      update figures_daily set clicks = clicks + 3 where (org_id, link_id, day, is_bot, writer) in (
        select org_id, link_id, day, is_bot, writer from figures_daily
        where link_id = ${WHOLE_ORGANIZATION} and not is_bot order by clicks desc limit 1)
      returning org_id, clicks`;
    const differing = await verify("--from", "2020-01-01");
    expect(differing.code).toBe(1);
    expect(differing.said).toContain(`${row?.org_id}  organization  day `);
    expect(differing.said).toContain(`clicks total ""  has ${row?.clicks}, expected ${row?.clicks - 3}\n`);
    expect(await verify("--org", "nobody")).toMatchObject({ code: 1 });
    const backward = await verify("--from", "2026-11-02", "--to", "2026-11-01");
    expect(backward).toMatchObject({
      code: 1,
      complained: expect.stringContaining("--to: expected to be after --from"),
    });
    expect((await verify("--from", "yesterday")).complained).toContain("--from: expected a day like 2026-11-21");
    expect(await verify("--mend")).toMatchObject({
      code: 0,
      said: expect.stringContaining("hours, days and counters corrected: 1"),
    });
    expect(await verify()).toMatchObject({ code: 0 });
  });

  test("stores past days in columns, and prints how many", async () => {
    const store = (...options: string[]) => run(["src/admin.ts", "store-columns", ...options]);
    expect(await store()).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Stored \d+ days with \d+ clicks; \d+ days/),
    });
    expect((await store("--org", "nobody")).complained).toContain("no organization nobody");
  });

  test("resets a password, which ends the old sessions; SIGINT stops the service cleanly", async () => {
    const [user] = await database.sql`select email from users limit 1`;
    const { said } = await run(["src/admin.ts", "reset-password", user?.email]);
    const password = /is (\S+);/.exec(said)?.[1];
    const [sessions] = await database.sql`select count(*)::int as open from sessions where revoked_at is null`;
    expect(sessions?.open).toBe(0);
    const { child, port, ended } = await start(["src/main.ts"], { WORKERS: "1" });
    await untilHealthy(port);
    const response = await fetch(`http://localhost:${port}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: user?.email, password }),
    });
    expect(response.status).toBe(200);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 0, complained: "" });
  });
});

describe("db:migrate", () => {
  test("reports that the database is up to date", async () => {
    expect(await run(["drizzle/migrate.ts"])).toMatchObject({ code: 0, said: "The database is up to date\n" });
  });
});

async function untilHealthy(port: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const isUp = await fetch(`http://localhost:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    if (performance.now() > deadline) throw new Error("The service did not start");
    await Bun.sleep(50);
  }
}
