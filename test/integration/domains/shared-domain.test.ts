/** The shared short domain, which the setting of the server that started last decides. */
import { expect, test } from "bun:test";
import { startTestService } from "@test/support/service";
import { ensureSharedDomain, watchSharedDomain } from "@/platform/shared-rows";
import { createLog } from "@/platform/telemetry/log";

const MOVED = "moved the shared domain";

test("a server that starts with another SHORT_DOMAIN moves the shared domain, and logs it", async () => {
  const first = await startTestService({ env: { SHORT_DOMAIN: "one.example" } });
  const account = await first.register();
  await first.createLink(account, { slug: "hello", defaultUrl: "https://acme.com/" });
  const second = await startTestService({ env: { SHORT_DOMAIN: "two.example", DATABASE_URL: first.databaseUrl } });
  expect((await second.visit("/hello", { host: "two.example" })).headers.get("location")).toBe("https://acme.com/");
  expect([first.logged(), second.logged()].map((log) => log.includes(MOVED))).toEqual([false, true]);
  expect(second.logged()).toContain('"from":"one.example","to":"two.example"');
});

test("a server whose shared domain another one has moved logs an error, once", async () => {
  const first = await startTestService({ env: { SHORT_DOMAIN: "one.example" } });
  const shared = { id: await ensureSharedDomain(first.db, "one.example"), hostname: "one.example" };
  let logged = "";
  const log = createLog((text) => {
    logged += text;
  });
  let looks = 0;
  const db = new Proxy(first.db, {
    get(target, name) {
      if (name === "select") looks++;
      return Reflect.get(target, name, target);
    },
  });
  using _ = watchSharedDomain({ ...shared, db, log, lookEveryMs: 5 });
  while (looks < 3) await Bun.sleep(5);
  log.flush();
  expect(logged).toBe("");
  await startTestService({ env: { SHORT_DOMAIN: "two.example", DATABASE_URL: first.databaseUrl } });
  for (; logged === ""; log.flush()) await Bun.sleep(5);
  for (const before = looks; looks < before + 5; log.flush()) await Bun.sleep(5);
  const lines = logged
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([expect.objectContaining({ level: "error", from: "one.example", to: "two.example" })]);
});

test("servers with the same SHORT_DOMAIN move nothing", async () => {
  const env = { SHORT_DOMAIN: "one.example" };
  const first = await startTestService({ env });
  const second = await startTestService({ env: { ...env, DATABASE_URL: first.databaseUrl } });
  expect(second.logged()).not.toContain(MOVED);
});

test.each(["go.example.com:443", "go.example.com.", "Go.Example.com"])(
  "links are served on %s",
  async (SHORT_DOMAIN) => {
    const service = await startTestService({ env: { SHORT_DOMAIN, BASE_URL: "https://api.example.com" } });
    const account = await service.register();
    const { shortUrl } = await service.createLink(account, { slug: "hello", defaultUrl: "https://acme.com/" });
    expect(shortUrl).toBe("https://go.example.com/hello");
    const visited = await service.visit("/hello", { host: "go.example.com" });
    expect(visited.headers.get("location")).toBe("https://acme.com/");
  },
);
