/** Confirms an email address in a real browser, starting from the link in a real mail. */
import { afterAll, expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { FAULTS } from "@test/support/browser/page-faults";
import { startSmtp } from "@test/support/servers/smtp";
import { client, startTestService } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const service = await startTestService({ env: { SMTP_URL: smtp.url, MAIL_FROM: "Waymark <no-reply@acme.dev>" } });
const browser = await startBrowser();
let mails = 0;

test.each([
  ["by day, without JavaScript", { width: 390, height: 844, hasJavaScript: false }],
  ["in the dark", { width: 1280, height: 800, isDark: true }],
])("the mail's page is read, its button pressed, and the address confirmed, %s", async (_, options) => {
  const account = await client(service.url).register();
  const mail = (await smtp.until(++mails)).findLast(({ to }) => to.includes(account.email));
  const [link = ""] = /^http\S+$/m.exec(mail?.text ?? "") ?? [];
  const isVerified = async () =>
    (await service.call<AuthSession>("GET", "/api/v1/auth/me", { token: account.token })).body.user.emailVerified;
  const page = await browser.page(options);
  await page.open(link);
  expect(await page.evaluate<string[]>(FAULTS)).toEqual([]);
  expect(await page.evaluate<string>(`document.querySelector("bdi").textContent`)).toBe(account.email);
  expect(await isVerified()).toBe(false);
  await page.click("button");
  await page.until(`document.querySelector("h1").textContent === "Your address is confirmed"`);
  expect(await page.evaluate<string[]>(FAULTS)).toEqual([]);
  expect(await page.evaluate<string>("location.search")).toBe("");
  expect(await isVerified()).toBe(true);
  expect(page.asked).toEqual([]);
});

test("whoever invites someone is told that the invitation is mailed, and can reset a password by mail", async () => {
  const ada = await client(service.url).register();
  const proof = (await smtp.until(++mails)).findLast(({ to }) => to.includes(ada.email));
  const token = new URL(/^http\S+$/m.exec(proof?.text ?? "")?.[0] ?? "").searchParams.get("token");
  await service.call("POST", "/api/v1/auth/verify-email", { body: { token } });
  const { body } = await service.call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${service.url}/app/o/${body.slug}/settings/members`);
  await page.until(`!!${labelled("Email address")}`);
  await page.evaluate(`${labelled("Email address")}.focus()`);
  await page.type("bob@example.com");
  await page.press("Enter");
  await page.until(says("The invitation is on its way to them by email."));
  const invitation = (await smtp.until(++mails)).find(({ to }) => to.includes("bob@example.com"));
  expect(invitation?.text).toContain("/app/invite?token=");
  await page.open(`${service.url}/app/o/${body.slug}/settings/account`);
  await page.until(`!!document.querySelector("main a[href='/app/reset-password']")`);
});
