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

test("the clicks of a domain that is added again are its own again", async () => {
  const bob = await service.register();
  const own = `/api/v1/organizations/${bob.orgId}`;
  const { token } = bob;
  const ask = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const reply = await service.call<Body>(method, `${own}/${path}`, { token, body });
    expect([path, reply.status]).toEqual([path, method === "POST" ? 201 : 200]);
    return reply.body;
  };
  const hostname = "go.back.example";
  const former = await addDomain(service, bob.orgId, { hostname });
  const link = await service.createLink(bob, {
    defaultUrl: "https://shop.example.com/",
    domainId: former,
    slug: "sale",
  });
  const headers = { [CLIENT_HEADER]: "203.0.113.9", "user-agent": "Mozilla/5.0 Gecko/20100101 Firefox/140.0" };
  expect((await service.visit("/sale", { ...headers, host: hostname })).status).toBe(302);
  await waitUntilDrained(service.service);
  await ask("DELETE", `links/${link._id}`);
  await ask("DELETE", `domains/${former}`);
  const younger = await ask<{ _id: string }>("POST", "domains", { hostname: "go.other.example" });
  const again = await ask<{ _id: string; isVerified: boolean }>("POST", "domains", { hostname });
  expect(again.isVerified).toBe(false);
  const listed = await ask<{ _id: string }[]>("GET", "domains");
  expect(listed.map(({ _id }) => _id)).toEqual([again._id, younger._id]);
  for (const query of ["", `?domainId=${again._id}`, "?browser=Firefox", `?domainId=${again._id}&browser=Firefox`]) {
    const { byDomain } = await ask<OverviewAnswer>("GET", `analytics/overview${query}`);
    expect([query, byDomain]).toEqual([query, [{ domain: hostname, count: 1 }]]);
    const { links } = await ask<TopLinks>("GET", `analytics/top-links${query}`);
    expect(links.map(({ shortUrl, domainId }) => [shortUrl, domainId])).toEqual([[link.shortUrl, again._id]]);
  }
  await ask("DELETE", `domains/${again._id}`);
  const { byDomain } = await ask<OverviewAnswer>("GET", "analytics/overview");
  expect(byDomain).toEqual([{ domain: "unknown", count: 1 }]);
});
