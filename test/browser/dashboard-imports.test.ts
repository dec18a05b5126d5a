/** Imports in a real browser: a file is tried, then brought in, its ledger read, and rolled back. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, labelled, says, signedIn } from "@test/support/browser/dashboard";
import { startTestDns } from "@test/support/servers/dns";
import { startTestService } from "@test/support/service";
import type { Domain, DomainConfiguration } from "@/contract/domains";

const dns = await startTestDns();
const service = await startTestService({ env: { DNS_SERVERS: dns.address } });
const ada = await service.register();
const browser = await startBrowser();
const CSV =
  "Short Link,Destination URL,Clicks\nhttps://go.acme.com/a,https://example.com/a,3\nhttps://go.acme.com/b,not a url,1\n";

async function addDomain(hostname: string): Promise<void> {
  const path = `/api/v1/organizations/${ada.orgId}/domains`;
  const { body } = await service.call<Domain>("POST", path, { ...ada, body: { hostname } });
  const at = `${path}/${body._id}`;
  const { records } = (await service.call<DomainConfiguration>("GET", `${at}/configuration`, ada)).body;
  dns.set("TXT", records[0]?.name ?? "", records[0]?.value ?? "");
  await service.call("POST", `${at}/verify`, ada);
}
const countLinks = async () =>
  (await service.call<{ total: number }>("GET", `/api/v1/organizations/${ada.orgId}/links`, ada)).body.total;

/** As a person chooses a file. */
const choose = (label: string) => `(() => { const field = ${labelled(label)}; const files = new DataTransfer();
  files.items.add(new File([${JSON.stringify(CSV)}], "dub.csv", { type: "text/csv" })); field.files = files.files;
  field.dispatchEvent(new Event("change", { bubbles: true })); })()`;

test("a file is tried, imported with its ledger, and rolled back", async () => {
  await addDomain("go.acme.com");
  const page = await signedIn(browser, service, ada);
  await page.open(`${service.url}/app`);
  await page.until(`!!document.querySelector("nav.side a[href$='/settings']")`);
  await page.evaluate(`document.querySelector("nav.side a[href$='/settings']").click()`);
  await page.until(`!!document.querySelector("nav.tabs a[href$='/imports']")`);
  await page.evaluate(`document.querySelector("nav.tabs a[href$='/imports']").click()`);
  await page.until(`!!${labelled("File")} && ${says("Archive of the whole organization")}`);
  expect(await page.faults()).toEqual([]);
  await page.shot("imports");

  for (const isTrial of [true, false]) {
    await page.until(`!!${labelled("File")}`);
    await page.evaluate(choose("File"));
    const set = `Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set`;
    await page.evaluate(`${set}.call(${labelled("From")}, "dub")`);
    await page.evaluate(`${labelled("From")}.dispatchEvent(new Event("change", { bubbles: true }))`);
    if (!isTrial) await page.evaluate(`document.querySelector("form input[type=checkbox]").click()`);
    await page.until(`!${button("Import")}.disabled`);
    await page.evaluate(`${button("Import")}.click()`);
    await page.until(`${says("go.acme.com/b")} && ${says("Refused")} && ${says("Done")}`);
    expect(await countLinks()).toBe(isTrial ? 0 : 1);
    if (isTrial) await page.evaluate(`document.querySelector("nav.tabs a[href$='/imports']").click()`);
  }
  expect(await page.faults()).toEqual([]);
  await page.shot("import");
  await page.evaluate(`${button("Roll back")}.click()`);
  await page.until(`!!document.querySelector("[role=dialog] .button.danger")`);
  await page.evaluate(`document.querySelector("[role=dialog] .button.danger").click()`);
  await page.until(`${says("Rollback")} && ${says("Removed")}`);
  while ((await countLinks()) > 0) await Bun.sleep(20);

  await page.evaluate(`document.querySelector("nav.tabs a[href$='/imports']").click()`);
  await page.until(`!!${button("Request an archive")}`);
  await page.evaluate(`${button("Request an archive")}.click()`);
  await page.until(`!!document.querySelector("a[download][href$='/download']")`);
  const archive = await page.evaluate<number>(
    `fetch(document.querySelector("a[download][href$='/download']").href).then((answer) => answer.status)`,
  );
  expect(archive).toBe(200);
  expect(page.complaints).toEqual([]);
});
