/** Domains in a real browser: adding one, and verifying it with the DNS record that the page shows. */
import { expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { button, labelled, openSignedInPage, QUICK_INTERVALS, requestsOf, says } from "@test/support/browser/dashboard";
import { startTestDns } from "@test/support/servers/dns";
import { startTestService } from "@test/support/service";
import type { Domain } from "@/contract/domains";

const dns = await startTestDns();
const service = await startTestService({ env: { DNS_SERVERS: dns.address } });
const ada = await service.register();
const browser = await startBrowser();
const path = `/api/v1/organizations/${ada.orgId}/domains`;

test("a domain is added, verified with the shown DNS record, configured and deleted", async () => {
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${service.url}/app`);
  await page.until(`!!document.querySelector("nav.side a[href$='/domains']")`);
  await page.evaluate(`document.querySelector("nav.side a[href$='/domains']").click()`);
  await page.until(says("Put short links on your own domain"));
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`document.querySelector("main a[href$='/domains/new']").click()`);
  await page.until(`!!${labelled("Host name")}`);
  await page.evaluate(`${labelled("Host name")}.focus()`);
  await page.type("co.uk");
  await page.press("Enter");
  await page.until(`!!document.querySelector("[role=dialog] .fault")`);
  await page.evaluate(`${labelled("Host name")}.select()`);
  await page.type("go.acme.com");
  await page.press("Enter");
  await page.until(says("_waymark.go.acme.com"));
  await page.until(says("Phone checks"));
  expect(await page.faults()).toEqual([]);
  await page.takeScreenshots("domain");

  const value = await page.evaluate<string>(
    `[...document.querySelectorAll("dd code")].find((each) => each.innerText.startsWith("waymark-")).innerText`,
  );
  dns.set("TXT", "_waymark.go.acme.com", value);
  // The page checks again without a click, and the domain is verified as soon as the record exists.
  await page.until(says("go.acme.com is verified"));
  const [domain] = (await service.call<Domain[]>("GET", path, ada)).body;
  expect(domain?.isVerified).toBe(true);
  // Only a record is found; a check passes.
  const check = `[...document.querySelectorAll("main .row")].find((row) => row.innerText.startsWith("Ownership"))`;
  await page.until(`${check}?.querySelector(".chip").innerText === "OK"`);

  await page.until(`!${labelled("After a link has expired")}.closest("fieldset").disabled`);
  await page.evaluate(`${labelled("After a link has expired")}.focus()`);
  await page.type("https://www.acme.com/over");
  await page.press("Enter");
  await page.until(says("Saved and live"));
  expect((await service.call<Domain[]>("GET", path, ada)).body[0]?.redirects.expired).toBe("https://www.acme.com/over");

  await page.evaluate(`${button("Delete domain")}.click()`);
  await page.until(`!!${labelled("Type go.acme.com to confirm")}`);
  await page.evaluate(`${labelled("Type go.acme.com to confirm")}.focus()`);
  await page.type("go.acme.com");
  await page.evaluate(`[...document.querySelectorAll("[role=dialog] button")].at(-1).click()`);
  await page.until(says("go.acme.com deleted"));
  expect((await service.call<Domain[]>("GET", path, ada)).body).toEqual([]);
  expect(page.complaints.filter((text) => !text.includes("400"))).toEqual([]);
});

test("a bio page that is served at the root can be taken off it, and then be deleted", async () => {
  const bob = await service.register();
  const at = `/api/v1/organizations/${bob.orgId}`;
  const domainId = await addDomain(service, bob.orgId, { hostname: "bio.acme.com" });
  const body = { title: "Acme", domainId };
  const bioPage = await service.call<{ _id: string }>("POST", `${at}/bio-pages`, { ...bob, body });
  const { _id: bioPageId } = bioPage.body;
  const redirects = { root: { bioPageId }, notFound: "https://www.acme.com/" };
  await service.call("PATCH", `${at}/domains/${domainId}`, { ...bob, body: { redirects } });
  const { body: organization } = await service.call<{ slug: string }>("GET", at, bob);
  const page = await openSignedInPage(browser, service, bob);
  await page.open(`${service.url}/app/o/${organization.slug}/domains/${domainId}`);
  const served = labelled("A bio page is served at the root.");
  await page.until(`!!${served}`);
  expect(await page.evaluate<boolean>(`${served}.checked`)).toBe(true);
  expect(await page.faults()).toEqual([]);
  await page.evaluate(`${served}.click()`);
  await page.until(`!${served}.checked && !${button("Save")}.disabled`);
  await page.evaluate(`${button("Save")}.click()`);
  await page.until(says("Saved and live"));
  const [domain] = (await service.call<Domain[]>("GET", `${at}/domains`, bob)).body;
  expect(domain?.redirects).toEqual({ notFound: "https://www.acme.com/" });
  expect((await service.call("DELETE", `${at}/bio-pages/${bioPageId}`, bob)).status).toBe(200);
});

test("hosting that was on when a domain's verification ended can be turned off, and then not on", async () => {
  const cy = await service.register();
  const at = `/api/v1/organizations/${cy.orgId}`;
  const domainId = await addDomain(service, cy.orgId, { hostname: "ended.acme.com" });
  const body = { enabled: true, isPrimary: true };
  await service.call("PATCH", `${at}/domains/${domainId}/dashboard`, { ...cy, body });
  await service.sql`update domains set is_verified = false where id = ${domainId}`;
  const { body: organization } = await service.call<{ slug: string }>("GET", at, cy);
  const page = await openSignedInPage(browser, service, cy);
  await page.open(`${service.url}/app/o/${organization.slug}/domains/${domainId}`);
  for (const label of ["New links use this domain by default", "The dashboard is served here, at /app"]) {
    await page.until(`${labelled(label)}?.checked && !${labelled(label)}.disabled`);
    await page.evaluate(`${labelled(label)}.click()`);
    await page.until(`!${labelled(label)}.checked && ${labelled(label)}.disabled`);
  }
  const [domain] = (await service.call<Domain[]>("GET", `${at}/domains`, cy)).body;
  expect(domain?.dashboard).toEqual({ enabled: false, isPrimary: false });
  expect(page.complaints).toEqual([]);
});

test("a domain with warnings that stay is checked less and less often", async () => {
  const dan = await service.register();
  const at = `/api/v1/organizations/${dan.orgId}`;
  const domainId = await addDomain(service, dan.orgId, { hostname: "warned.acme.com" });
  const { body: organization } = await service.call<{ slug: string }>("GET", at, dan);
  const page = await openSignedInPage(browser, service, dan, { begin: QUICK_INTERVALS });
  await page.open(`${service.url}/app/o/${organization.slug}/domains/${domainId}`);
  await page.until(`${requestsOf("/configuration")} > 7`);
  expect(await page.evaluate<number>("Math.max(...intervals)")).toBe(30_000);
  expect(page.complaints).toEqual([]);
});
