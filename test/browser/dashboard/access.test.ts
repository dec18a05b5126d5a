/** A page whose user may do less than before, or nothing any more, since someone else changed that. */
import { describe, expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { button, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { type Account, startTestService } from "@test/support/service";

const service = await startTestService();
const { call, url } = service;
const browser = await startBrowser();

const path = ({ orgId }: Account) => `/api/v1/organizations/${orgId}`;

interface Member {
  _id: string;
  email: string;
}

/** An organization, one of its members, and a page that shows them this screen of it. */
async function memberAt(screen: string) {
  const owner = await service.register();
  const member = await addMember(service, owner.orgId, "member");
  const { body: organization } = await call<{ slug: string; name: string }>("GET", path(owner), owner);
  const { members } = (await call<{ members: Member[] }>("GET", `${path(owner)}/members`, owner)).body;
  const membership = members.find(({ email }) => email === member.email)?._id ?? "";
  const page = await openSignedInPage(browser, service, member);
  // So that it can be told whether the page was loaded again.
  await page.open(`${url}/app/o/${organization.slug}/${screen}`);
  await page.evaluate("window.isTheSame = true");
  return {
    ...{ page, name: organization.name },
    lower: () => call("PATCH", `${path(owner)}/members/${membership}`, { ...owner, body: { role: "viewer" } }),
    remove: () => call("DELETE", `${path(owner)}/members/${membership}`, owner),
    link: () => service.createLink(owner, { defaultUrl: "https://shop.example.com/" }),
  };
}

const BOX = labelled("Destination to shorten");

test("a role that was lowered is told with the first refusal, and the screen offers what is left", async () => {
  const { page, lower, name } = await memberAt("links");
  await page.until(`!!${BOX}`);
  await page.evaluate(`${BOX}.focus()`);
  await page.type("shop.example.com/new");
  await lower();
  await page.press("Enter");
  await page.until(`${says(`Your role in ${name} has changed.`)} && !${BOX}`);
  expect(await page.evaluate<boolean>(`!!document.querySelector("nav.side a[href$='/review']")`)).toBe(false);
  expect(await page.evaluate<boolean>("isTheSame")).toBe(true);
  expect(await page.faults()).toEqual([]);
  expect(page.complaints.filter((text) => !text.includes("403"))).toEqual([]);
});

describe("once the membership has ended", () => {
  test("what is typed stays to be copied, and the page says why it cannot be saved", async () => {
    const { page, remove, name } = await memberAt("links");
    await page.until(`!!${BOX}`);
    await page.evaluate(`${BOX}.focus()`);
    await page.type("shop.example.com/new");
    await remove();
    await page.press("Enter");
    await page.until(says(`You no longer have access to ${name}.`));
    expect(await page.evaluate<string>(`${BOX}.value`)).toBe("shop.example.com/new");
    await page.until(`${button("Shorten")}.disabled === false`);
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("access-ended");
    expect(await page.evaluate<boolean>("isTheSame")).toBe(true);
  });

  test("a page on which nothing is typed says so in place of the screen, and leads on", async () => {
    const { page, remove, name, link } = await memberAt("links");
    await page.until(`!!${BOX}`);
    await link();
    await remove();
    await page.evaluate(`document.querySelector("nav.side a[href$='/pages']").click()`);
    await page.until(`${says(`You no longer have access to ${name}`)} && !document.querySelector("nav.side")`);
    expect(await page.evaluate<boolean>("isTheSame")).toBe(true);
    expect(await page.faults()).toEqual([]);
    await page.evaluate(`document.querySelector("main a[href='/app']").click()`);
    await page.until(`!!document.querySelector("nav.side") && !window.isTheSame`);
  });
});
