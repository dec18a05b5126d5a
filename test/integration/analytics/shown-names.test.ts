/** Over HTTP: no list of figures has two rows of one name, and each row has what a filter by its name finds. */
import { expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { CLIENT_HEADER, startTestService } from "@test/support/service";
import type { BreakdownAnswer } from "@/contract/analytics/breakdown";
import type { OverviewAnswer } from "@/contract/analytics/overview";

const service = await startTestService();
const ada = await service.register();
const analytics = async <Body>(path: string): Promise<Body> => {
  const of = `/api/v1/organizations/${ada.orgId}/analytics/${path}`;
  const { status, body } = await service.call<Body>("GET", of, { token: ada.token });
  expect([path, status]).toEqual([path, 200]);
  return body;
};
let visitors = 0;
const visitorHeaders = () => ({
  [CLIENT_HEADER]: `203.0.113.${++visitors}`,
  "accept-language": "en-GB",
  "user-agent": "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0",
});

test("a value that is spelled like the name of a missing one counts with the missing ones", async () => {
  const link = await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
  const { pathname } = new URL(link.shortUrl);
  for (const query of ["", "?utm_source=none", "?utm_source=none", "?utm_source=mail"])
    await service.visit(pathname + query, { ...visitorHeaders(), ...(query === "" && { referer: "https://direct/" }) });
  await waitUntilDrained(service.service);
  const expected = [
    { name: "none", count: 3 },
    { name: "mail", count: 1 },
  ];
  const named = ({ byUtmSource = [] }: OverviewAnswer) =>
    byUtmSource.map(({ utmSource, count }) => ({ name: utmSource, count }));
  const breakdown = async (query: string) =>
    (await analytics<BreakdownAnswer>(`breakdown?by=utmSource${query}`)).rows.map(({ value, count }) => ({
      ...{ name: value, count },
    }));
  expect(named(await analytics("overview"))).toEqual(expected);
  expect(named(await analytics("overview?browser=Firefox"))).toEqual(expected);
  expect(await breakdown("")).toEqual(expected);
  expect(await breakdown("&browser=Firefox")).toEqual(expected);
  expect(await breakdown("&limit=1")).toEqual(expected.slice(0, 1));
  for (const { name, count } of expected)
    expect((await analytics<OverviewAnswer>(`overview?utmSource=${name}`)).totalClicks).toBe(count);
  const { byReferrer } = await analytics<OverviewAnswer>("overview");
  expect(byReferrer).toEqual([{ referrer: "direct", count: 4 }]);
});

test("the clicks of a domain that was deleted are of an unknown one", async () => {
  for (const hostname of ["go.first.example", "go.other.example"]) {
    const domainId = await addDomain(service, ada.orgId, { hostname });
    const link = await service.createLink(ada, { defaultUrl: "https://shop.example.com/", domainId, slug: "sale" });
    expect((await service.visit("/sale", { ...visitorHeaders(), host: hostname })).status).toBe(302);
    await waitUntilDrained(service.service);
    const home = `/api/v1/organizations/${ada.orgId}`;
    for (const path of [`links/${link._id}`, `domains/${domainId}`])
      expect((await service.call("DELETE", `${home}/${path}`, { token: ada.token })).status).toBe(200);
  }
  const expected = [
    { name: service.host, count: 4 },
    { name: "unknown", count: 2 },
  ];
  const { byDomain = [] } = await analytics<OverviewAnswer>("overview");
  expect(byDomain.map(({ domain, count }) => ({ name: domain, count }))).toEqual(expected);
  for (const query of ["", "&browser=Firefox"]) {
    const { rows } = await analytics<BreakdownAnswer>(`breakdown?by=domain${query}`);
    expect(rows.map(({ value, count }) => ({ name: value, count }))).toEqual(expected);
  }
});

test("a filter finds a referring host as people write it", async () => {
  const link = await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
  const { pathname } = new URL(link.shortUrl);
  for (const referer of ["https://xn--mnchen-3ya.example/", "https://news.example.com/today"])
    await service.visit(pathname, { ...visitorHeaders(), referer });
  await waitUntilDrained(service.service);
  const clicksFrom = async (...hosts: string[]) => {
    const query = hosts.map((host) => `&referrer=${encodeURIComponent(host)}`).join("");
    const [overview, clicks] = [`overview?linkId=${link._id}${query}`, `clicks?linkId=${link._id}${query}`];
    const listed = (await analytics<{ clicks: object[] }>(clicks)).clicks.length;
    return [(await analytics<OverviewAnswer>(overview)).totalClicks, listed];
  };
  for (const host of ["xn--mnchen-3ya.example", "münchen.example", "MÜNCHEN.example", "News.Example.com"])
    expect([host, await clicksFrom(host)]).toEqual([host, [1, 1]]);
  expect(await clicksFrom("münchen.example", "xn--mnchen-3ya.example")).toEqual([1, 1]);
  expect(await clicksFrom("münchen.example", "news.example.com")).toEqual([2, 2]);
});
