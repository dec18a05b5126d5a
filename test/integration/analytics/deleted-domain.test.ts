/** Over HTTP: deleted links whose domain was deleted after them keep their figures, and are not the shared domain's. */
import { expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { runImport } from "@test/support/outside/imports";
import { CLIENT_HEADER, startTestService } from "@test/support/service";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { TopLinks } from "@/contract/analytics/top-links";

const service = await startTestService();
const ada = await service.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const call = async <Body>(method: string, path: string): Promise<Body> => {
  const { status, body } = await service.call<Body>(method, `${home}/${path}`, { token: ada.token });
  expect([path, status]).toEqual([path, 200]);
  return body;
};

test("links of a deleted domain count with all links, and not with those of the shared domain", async () => {
  const hostname = "go.gone.example";
  const [shared] = await service.sql<{ id: string }[]>`select id from domains where org_id is null`;
  const domainId = await addDomain(service, ada.orgId, { hostname });
  for (const [slug, to, clicks] of [
    ["stays", shared?.id ?? "", 7],
    ["leaves", domainId, 5],
  ] as const) {
    await runImport(service, ada, {
      text: `slug,url,clicks\n${slug},https://shop.example.com/,${clicks}`,
      options: { domainMap: { "*": to } },
    });
    const headers = {
      [CLIENT_HEADER]: "203.0.113.1",
      "user-agent": "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0",
      host: to === domainId ? hostname : service.host,
    };
    expect((await service.visit(`/${slug}`, headers)).status).toBe(302);
  }
  await waitUntilDrained(service.service);
  const [leaving] = await service.sql<{ id: string }[]>`select id from links where slug = 'leaves'`;
  await call("DELETE", `links/${leaving?.id}`);
  await call("DELETE", `domains/${domainId}`);

  const linksOf = async (query: string) =>
    (await call<TopLinks>("GET", `analytics/top-links${query}`)).links.map(({ shortUrl }) => shortUrl).sort();
  const figuresOf = async (query: string) => {
    const { totalClicks, clicksBefore } = await call<OverviewAnswer>("GET", `analytics/overview${query}`);
    return { totalClicks, before: clicksBefore?.count };
  };
  const all = [`http://${service.host}/stays`, `https://${hostname}/leaves`];
  for (const browser of ["", "browser=Firefox"]) {
    expect(await linksOf(`?${browser}`)).toEqual(all);
    expect(await linksOf(`?domainId=${shared?.id}&${browser}`)).toEqual(all.slice(0, 1));
  }
  expect(await figuresOf("")).toEqual({ totalClicks: 2, before: 12 });
  expect(await figuresOf(`?domainId=${shared?.id}`)).toEqual({ totalClicks: 1, before: 7 });
});
