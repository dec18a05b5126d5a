/** Confirms an email address in a real browser, starting from the link in a real mail. */
import { afterAll, expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
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
