/** The shared short domain, which the setting of the server that started last decides. */
import { expect, test } from "bun:test";
import { startTestService } from "@test/support/service";

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

test("servers with the same SHORT_DOMAIN move nothing", async () => {
  const env = { SHORT_DOMAIN: "one.example" };
  const first = await startTestService({ env });
  const second = await startTestService({ env: { ...env, DATABASE_URL: first.databaseUrl } });
  expect(second.logged()).not.toContain(MOVED);
});
