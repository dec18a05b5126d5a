/** What the API refuses, in the page's language, in a real browser. */
import { expect, test } from "bun:test";
import { startBrowser } from "@test/support/browser/browser";
import { button, labelled, openSignedInPage, says } from "@test/support/browser/dashboard";
import { wordsIn } from "@test/support/dashboard/words";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const { call, url } = service;
const browser = await startBrowser();

test.each(["de", "fr"])("a slug that is taken is refused at its field, in %s", async (language) => {
  const { faults, links } = await wordsIn(language);
  const ada = await service.register();
  const { slug } = await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
  const { body } = await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada);
  const page = await openSignedInPage(browser, service, ada, { headers: { "accept-language": language } });
  await page.open(`${url}/app/o/${body.slug}/links`);
  await page.until(`!!${button(links.box.options)}`);
  const type = async (label: string, text: string) => {
    await page.evaluate(`${labelled(label)}.focus()`);
    await page.type(text);
  };
  await type(links.box.label, "shop.example.com/spring");
  await page.evaluate(`${button(links.box.options)}.click()`);
  await page.until(`!!${labelled(links.box.slug)}`);
  await type(links.box.slug, slug);
  await page.press("Enter");
  await page.until(`${labelled(links.box.slug)}.ariaInvalid === "true"`);
  expect(await page.evaluate<string>(`document.querySelector("main .fault").innerText`)).toBe(faults.inUse);

  // Folded, the field does not show it.
  await page.evaluate(`${button(links.box.options)}.click()`);
  await page.until(says(`${faults.slugTaken} (slug: ${faults.inUse})`));
  // The response to the slug that is taken is expected.
  expect(page.complaints.filter((text) => !text.includes("409"))).toEqual([]);
});
