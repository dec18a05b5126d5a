/** The simulator's sample devices, and the names that conditions suggest, are such as real visits have. */
import { expect, test } from "bun:test";
import { BROWSERS, SAMPLE_DEVICES } from "@/dashboard/link/route/known-names";
import { parseUserAgent } from "@/platform/user-agent";

const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`;
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`;
const AGENTS: Record<keyof typeof SAMPLE_DEVICES, string> = {
  iphone: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) ${SAFARI}`,
  android: ANDROID,
  desktop: WINDOWS,
  ipad: `Mozilla/5.0 (iPad; CPU OS 18_4 like Mac OS X) ${SAFARI}`,
};

test("each sample device is what a visit from one reveals", () => {
  const revealed = Object.entries(AGENTS).map(([name, agent]) => {
    const { platform, deviceType, deviceVendor, deviceModel, browser, osVersion } = parseUserAgent(agent);
    return [name, { platform, deviceType, deviceVendor, deviceModel, browser, osVersion }];
  });
  expect<unknown>(SAMPLE_DEVICES).toEqual(Object.fromEntries(revealed));
});

test("each suggested browser is the name of one", () => {
  const agents = [
    ...Object.values(AGENTS),
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15",
    "Mozilla/5.0 (Android 14; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0",
    `${WINDOWS} Edg/142.0.0.0`,
    `${WINDOWS} OPR/124.0.0.0`,
    `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ];
  const names = agents.map((agent) => parseUserAgent(agent).browser ?? "");
  expect([...BROWSERS].sort()).toEqual([...new Set(names)].sort());
});
