/** The image's HEALTHCHECK asks the service on this machine, and nobody else. */
import { afterAll, expect, test } from "bun:test";
import { SURROUNDINGS } from "@test/support/service-process";

let status = 200;
const service = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) => new Response("{}", { status: new URL(url).pathname === "/health" ? status : 404 }),
});
afterAll(() => service.stop(true));

async function check(env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, "src/health-check.ts"], {
    stdout: "pipe",
    stderr: "pipe",
    env: { ...SURROUNDINGS, PORT: String(service.port), ...env },
  });
  const [said, complained, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { said, complained: complained.trim(), code };
}

const HEALTHY = { said: "", complained: "", code: 0 };

test("it passes while the service responds", async () => {
  expect(await check()).toEqual(HEALTHY);
  status = 503;
  expect(await check()).toEqual({ said: "", complained: "/health returned 503", code: 1 });
  status = 200;
});

test("it passes in a container to which Docker hands the proxy of its users", async () => {
  const proxy = "http://127.0.0.1:1";
  expect(await check({ HTTP_PROXY: proxy, http_proxy: proxy })).toEqual(HEALTHY);
});

test("it fails if nothing listens", async () => {
  expect(await check({ PORT: "1" })).toMatchObject({ said: "", code: 1 });
});
