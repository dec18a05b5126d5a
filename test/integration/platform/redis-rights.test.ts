/** A Redis user (ACL) that may not do everything: the operator learns which right is missing. */
import { afterAll, expect, test } from "bun:test";
import { ownRedis } from "@test/support/servers/dependencies";
import { startTestService } from "@test/support/service";
import { eventually, until } from "@test/support/until";
import { Redis } from "ioredis";
import { MissingRightsError } from "@/platform/redis/rights";

const guide = await Bun.file("src/http/docs/guide/operating.md").text();
const [, RIGHTS = ""] = /^ACL SETUSER waymark on >password (.+)$/m.exec(guide) ?? [];

const redis = await ownRedis();
const operator = new Redis(redis.directUrl);
afterAll(async () => {
  operator.disconnect();
  await redis.end();
});

const allow = (...rights: string[]) => operator.call("acl", "setuser", "waymark", ...rights);
await allow("reset", "on", ">secret", ...RIGHTS.split(" "));
const url = new URL(redis.directUrl);
Object.assign(url, { username: "waymark", password: "secret" });
const server = await startTestService({ env: { REDIS_URL: url.href, SHORT_DOMAIN: "rights.example" } });
const account = await server.register();

const ready = async () => {
  const { status, body } = await server.call("GET", "/ready");
  return status === 200 ? "ready" : body.details;
};

test("the rights that the guide names are enough", async () => {
  await eventually(ready, "ready");
  // On a busy machine, Redis may take too long for some of them.
  await until(async () => {
    const link = await server.createLink(account, { defaultUrl: "https://example.com/" });
    await server.visit(`/${link.slug}`, { host: "rights.example" });
    const keys = await Promise.all(["link", "limit"].map((kind) => operator.keys(`waymark:${kind}:*`)));
    return keys.every(({ length }) => length > 0);
  });
  expect(server.logged()).not.toMatch(/NOPERM|ACL|rights/);
});

/** The driver does without `info`, and says so. */
const commands = RIGHTS.split(" ").filter((right) => right.startsWith("+") && right !== "+info");
test.each(commands)("without %s, /ready and the log name it until it is granted", async (right) => {
  await allow(right.replace("+", "-"));
  await eventually(ready, [`the Redis user needs more rights: ${right}`]);
  expect((await server.call("GET", "/health")).body.status).toBe("degraded");
  await eventually(async () => server.logged().includes(new MissingRightsError([right]).message), true);
  await allow(right);
  await eventually(ready, "ready");
});

test.each(["~waymark:link:*", "~waymark:limit:*"])(
  "a user that may use %s alone is told of the others",
  async (keys) => {
    await allow("resetkeys", "~waymark:beat", keys);
    await eventually(ready, ["the Redis user needs more rights: ~waymark:*"]);
    await allow("~waymark:*");
    await eventually(ready, "ready");
  },
);
