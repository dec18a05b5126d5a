import { expect, test } from "bun:test";
import { SteadyLoad } from "@test/support/steady-load";

test("a redirect without a location does not count as one, and does not end the load", async () => {
  const redirect = (location: Record<string, string>) => new Response(null, { status: 302, headers: location });
  using server = Bun.serve({
    port: 0,
    routes: {
      "/to": () => redirect({ location: "https://example.com/?wm_cid=one" }),
      "/nowhere": () => redirect({}),
    },
  });
  const load = new SteadyLoad({
    urls: ["nowhere", "to"].map((path) => new URL(path, server.url).href),
    headers: {},
    perSecond: 200,
  });
  await load.window("one");
  await load.window("two");
  await load.window("three");
  const windows = await load.end();
  const redirects = windows.reduce((sum, window) => sum + window.redirects, 0);
  const nowhere = windows.reduce((sum, { others }) => sum + (others[302] ?? 0), 0);
  const visits = windows.reduce((sum, window) => sum + window.visits, 0);
  expect(nowhere).toBeGreaterThan(0);
  expect(redirects + nowhere).toBe(visits);
  expect(windows.flatMap(({ clickIds }) => clickIds)).toHaveLength(redirects);
});
