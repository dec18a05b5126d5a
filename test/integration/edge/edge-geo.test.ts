/** The operator's geo database, replaced while the service runs: routing and clicks both use the new one. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { startTestService } from "@test/support/service";
import { networkV4, writeMmdb } from "@test/unit/platform/geo/mmdb";

const folder = await mkdtemp(join(tmpdir(), "waymark-geo-"));
afterAll(() => rm(folder, { recursive: true }));
const path = join(folder, "city.mmdb");
const CLIENT = "203.0.113.9";
const AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
const file = (country: string) =>
  writeMmdb([{ prefix: networkV4("203.0.113.0", 24, 6), record: { country: { iso_code: country } } }], 28, 6);

await writeFile(path, file("DE"));
const service = await startTestService({
  env: { GEO_DATABASE: path, TRUSTED_PROXIES: "127.0.0.1", CLIENT_IP_HEADER: "x-client" },
});
const ada = await service.register();
const link = await service.createLink(ada, {
  defaultUrl: "https://example.com/elsewhere",
  rules: ["DE", "FR"].map((country) => ({
    destinationUrl: `https://example.com/${country}`,
    conditions: { countries: [country] },
  })),
});

/** Returns where a visit leads and the country that its click records. */
async function visit() {
  const response = await service.visit(link, { "x-client": CLIENT, "user-agent": AGENT });
  if (response.status !== 302) console.log(response.status, await response.text(), service.logged());
  await waitUntilDrained(service.service);
  const [click] = await service.sql`select country from clicks order by id desc limit 1`;
  return [response.headers.get("location")?.split("/").at(-1), click?.country];
}

const logged = (message: string) =>
  service
    .logged()
    .split("\n")
    .filter((line) => line.includes(`"message":"${message}"`))
    .map((line) => JSON.parse(line).thread)
    .sort();

async function toldByBoth(message: string) {
  while (logged(message).length < 2) await Bun.sleep(20);
  expect(logged(message)).toEqual(["clicks", "edge"]);
}

test("both threads log and ignore a truncated geo database, and load it once it is complete", async () => {
  expect(await visit()).toEqual(["DE", "DE"]);
  const whole = file("FR");
  await writeFile(path, whole.subarray(0, whole.length / 2));
  await toldByBoth("could not reload the geo database");
  expect(await visit()).toEqual(["DE", "DE"]);
  await writeFile(`${path}.new`, whole);
  await rename(`${path}.new`, path);
  await toldByBoth("geo database reloaded");
  expect(await visit()).toEqual(["FR", "FR"]);
});
