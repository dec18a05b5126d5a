/** Whether servers with one database have the same `APP_SECRET`. */
import { describe, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { startTestService, type TestService } from "@test/support/service";
import { openDatabase } from "@/platform/db/client";
import { openKeys } from "@/platform/keys";
import { watchSecretFingerprint } from "@/platform/shared-rows";
import { createLog } from "@/platform/telemetry/log";

const [OLD, NEW] = ["the old secret of at least 32 bytes!!", "the new secret of at least 32 bytes!!"];
const OTHER = "APP_SECRET is not the one that this database was used with";
const ELSEWHERE = "another server has another APP_SECRET";

const start = (databaseUrl: string, secrets: Record<string, string>) =>
  startTestService({ env: { ...secrets, DATABASE_URL: databaseUrl } });

const warnings = ({ logged }: TestService) => logged().split(OTHER).length - 1;

describe("a start on a database that servers with another secret use", () => {
  test("is logged, once", async () => {
    const { url } = await createDatabase();
    const first = await start(url, { APP_SECRET: OLD });
    const { token } = await first.register();
    expect(warnings(first)).toBe(0);
    const second = await start(url, { APP_SECRET: NEW });
    expect((await second.call("GET", "/api/v1/auth/me", { token })).status).toBe(401);
    expect(warnings(second)).toBe(1);
    // It is the one in use from now on.
    expect(warnings(await start(url, { APP_SECRET: NEW }))).toBe(0);
    expect(warnings(await start(url, { APP_SECRET: OLD }))).toBe(1);
  });

  test("is no fault while the secret is changed as the guide says", async () => {
    const { url } = await createDatabase();
    const steps: Record<string, string>[] = [
      { APP_SECRET: OLD },
      { APP_SECRET: OLD, APP_SECRET_PREVIOUS: NEW },
      { APP_SECRET: NEW, APP_SECRET_PREVIOUS: OLD },
      // A server that has not been restarted with the new secret yet starts again.
      { APP_SECRET: OLD, APP_SECRET_PREVIOUS: NEW },
      { APP_SECRET: NEW, APP_SECRET_PREVIOUS: OLD },
      { APP_SECRET: NEW },
    ];
    for (const secrets of steps) expect([secrets, warnings(await start(url, secrets))]).toEqual([secrets, 0]);
  });
});

test("a running server logs an error, once, when another one starts with a secret that it does not accept", async () => {
  const { url } = await createDatabase();
  const first = await start(url, { APP_SECRET: OLD });
  const { db, close } = openDatabase(url, { pool: "tool" });
  let logged = "";
  const log = createLog((text) => {
    logged += text;
  });
  let looks = 0;
  const counted = new Proxy(db, {
    get(target, name) {
      if (name === "select") looks++;
      return Reflect.get(target, name, target);
    },
  });
  const keys = await openKeys({ appSecret: OLD, appSecretPrevious: null, dataDir: "" });
  {
    using _ = watchSecretFingerprint({ db: counted, keys, log, lookEveryMs: 5 });
    const looked = async (times: number) => {
      for (const before = looks; looks < before + times; log.flush()) await Bun.sleep(5);
    };
    await looked(3);
    await start(url, { APP_SECRET: OLD, APP_SECRET_PREVIOUS: NEW });
    await looked(3);
    expect(logged).toBe("");
    await start(url, { APP_SECRET: NEW, APP_SECRET_PREVIOUS: OLD });
    while (logged === "") await looked(1);
    await looked(5);
  }
  await close();
  const lines = logged.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ level: "error" })]);
  expect(logged).toContain(ELSEWHERE);
  expect(first.logged()).not.toContain(OTHER);
});
