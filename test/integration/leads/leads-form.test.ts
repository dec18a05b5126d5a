/**
 * A lead from beginning to end: the form is shown, filled in and sent, and the lead appears in the list, the figures
 * and the CSV.
 */
import { expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { startTestService } from "@test/support/service";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { LeadPage } from "@/contract/links/leads";

const service = await startTestService();
const account = await service.register();
const { token, orgId } = account;
const PERSON = {
  "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
  accept: "text/html",
};

const get = async <Body>(path: string) =>
  (await service.call<Body>("GET", `/api/v1/organizations/${orgId}/${path}`, { token })).body;

test("a submitted form is listed, counted and exported once, even if it is sent several times", async () => {
  const link = await service.createLink(account, {
    defaultUrl: "https://shop.example.com/sale",
    leadCapture: { enabled: true, fields: [{ name: "email", type: "email", required: true }, { name: "name" }] },
  });
  const page = await service.visit(link, PERSON);
  expect(page.status).toBe(200);
  const hidden = [...(await page.text()).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)"/g)];
  const pass = hidden.map(([, name = "", value = ""]): [string, string] => [name, value]);
  const send = (email: string) =>
    fetch(link.shortUrl, {
      method: "POST",
      body: new URLSearchParams([...pass, ["email", email], ["name", " Ada "], ["_id", "1"]]),
      headers: PERSON,
      redirect: "manual",
    });

  expect((await send("nobody")).status).toBe(400);
  expect(await get<LeadPage>(`links/${link._id}/leads`)).toMatchObject({ leads: [], total: 0 });
  const answers = await Promise.all([send("ada@example.com"), send("ada@example.com"), send("ada@example.com")]);
  expect(answers.map(({ status, headers }) => [status, headers.get("location")?.split("?")[0]])).toEqual(
    Array(3).fill([303, "https://shop.example.com/sale"]),
  );

  const { leads } = await get<LeadPage>(`links/${link._id}/leads`);
  const fields = { email: "ada@example.com", name: "Ada" };
  expect(leads).toMatchObject([{ linkId: link._id, fields }]);
  const [lead] = leads;
  expect(lead?.visitorId).toMatch(/^[0-9a-f]{16}$/);
  expect(await get<string>(`links/${link._id}/leads/export.csv`)).toBe(
    `createdAt,visitorId,email,name\r\n${lead?.createdAt},${lead?.visitorId},ada@example.com,Ada\r\n`,
  );
  await waitUntilDrained(service.service);
  const { conversionFunnel } = await get<AnalyticsOverview>(`analytics/overview?linkId=${link._id}`);
  expect(conversionFunnel).toMatchObject([
    { stage: "clicks", count: 1 },
    { stage: "opens", count: 0 },
    { stage: "installs", count: 0 },
    { stage: "leads", count: 1, rate: 1 },
    { stage: "events", count: 0 },
  ]);
  const [click] = await service.sql`
    select lpad(to_hex(visitor), 16, '0') as visitor from clicks join leads on clicks.id = leads.click_id
    where leads.link_id = ${link._id}`;
  expect(click?.visitor).toBe(lead?.visitorId);
});
