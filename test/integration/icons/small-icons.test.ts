/** Small icons cost computing time that anybody may request: each is made once, and few concurrently. */
import { afterAll, expect, spyOn, test } from "bun:test";
import { startTestService } from "@test/support/service";
import { VISITOR_ICONS_PATH } from "@/contract/public";
import * as images from "@/platform/images/images";

const service = await startTestService();
const accounts = await Promise.all(Array.from({ length: 5 }, () => service.register()));
for (const [index, { orgId }] of accounts.entries()) {
  await service.sql`update organizations set name = ${String.fromCharCode(65 + index)} where id = ${orgId}`;
}

const make = images.smallIconOf;
let [underWay, mostUnderWay, made] = [0, 0, 0];
const release = Promise.withResolvers<void>();
const held = Promise.withResolvers<void>();
const spy = spyOn(images, "smallIconOf").mockImplementation(async (...given) => {
  made++;
  mostUnderWay = Math.max(mostUnderWay, ++underWay);
  if (underWay === 2) held.resolve();
  await release.promise;
  underWay--;
  return make(...given);
});
afterAll(() => spy.mockRestore());

test("simultaneous requests for a few icons create each icon once, two at a time", async () => {
  const visits = Array.from({ length: 4 }, () => accounts).flat();
  const answers = visits.map(({ orgId }) => fetch(`${service.url}${VISITOR_ICONS_PATH}/${orgId}`));
  await held.promise;
  release.resolve();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect({ made, mostUnderWay }).toEqual({ made: 5, mostUnderWay: 2 });
});
