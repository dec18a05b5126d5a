/** The interstitial pages before a destination in a real browser, with and without JavaScript. */
import { describe, expect, test } from "bun:test";
import { addApp } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import { FAULTS } from "@test/support/browser/page-faults";
import { IPHONE } from "@test/support/forms";
import { startSite } from "@test/support/outside/site";
import { startTestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import type { LinkInput } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
/** Referrers that the destination has received. */
const referrers: string[] = [];
const site = startSite(({ headers }) => {
  referrers.push(headers.get("referer") ?? "");
  return new Response("<!doctype html><title>There</title>There", { headers: HTML });
});
const HTML = { "content-type": "text/html" };
const defaultUrl = `${site.url}/there`;
const browser = await startBrowser();
const create = (input: Partial<LinkInput>) => service.createLink(ada, { defaultUrl, ...input });
const PHONE = { width: 390, height: 844 };
const IS_THERE = `location.pathname === "/there"`;
/** Makes a page wait for its pixels as long as they take to load. On a busy machine that may be longer than a visitor waits. */
const PATIENCE = "setTimeout = ((set) => (act, ms, ...of) => (ms < 1_000 ? set(act, ms, ...of) : 0))(setTimeout)";

describe("a form", async () => {
  const leadCapture = {
    enabled: true,
    title: "Get the guide",
    fields: [
      { name: "email", label: "Your email", type: "email" as const, required: true },
      { name: "note", label: "A note", type: "textarea" as const },
    ],
    consentText: "I agree to receive email.",
  };
  const leadsOf = async (linkId: string) =>
    (await service.sql`select fields from leads where link_id = ${linkId}`).map(({ fields }) => fields);

  test.each([
    ["with JavaScript", true],
    ["without JavaScript", false],
  ])("is filled in %s, corrected after a fault, and sent, on a phone", async (_, hasJavaScript) => {
    const link = await create({ leadCapture });
    const page = await browser.page({ ...PHONE, hasJavaScript });
    await page.open(link.shortUrl);
    expect(await page.evaluate<string[]>(FAULTS)).toEqual([]);
    await page.click("#field-0");
    // Browsers accept this as an email address; mail servers do not.
    await page.type("ada@localhost");
    await page.click("#field-1");
    await page.type("Hello <b>");
    await page.click("#field-2");
    await page.click("button");
    await page.until(`document.querySelector("[role=alert]")`);
    expect(await page.evaluate<string[]>(FAULTS)).toEqual([]);
    await page.until(`document.activeElement.id === "field-0"`);
    expect(await page.evaluate<string>(`document.querySelector("#field-1").value`)).toBe("Hello <b>");
    await page.evaluate(`document.activeElement.select()`);
    await page.type("ada@example.com");
    await page.click("button");
    await page.until(IS_THERE);
    expect(await leadsOf(link._id)).toEqual([{ email: "ada@example.com", note: "Hello <b>", consent: "yes" }]);
    expect(page.asked).toEqual([]);
  });

  test("takes text from right to left if that is how it is written, also when it is shown again", async () => {
    const texts = [{ name: "name" }, { name: "note", type: "textarea" as const }];
    const link = await create({ leadCapture: { enabled: true, fields: [...texts, { name: "city", required: true }] } });
    const page = await browser.page(PHONE);
    await page.open(link.shortUrl);
    const directions = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll("#field-0, #field-1, #field-2")]
        .map((field) => getComputedStyle(field).direction)`);
    for (const field of ["#field-0", "#field-1"]) {
      await page.click(field);
      await page.type("شارع 5!");
    }
    expect(await directions()).toEqual(["rtl", "rtl", "ltr"]);
    await page.evaluate(`document.querySelector("form").noValidate = true`);
    await page.click("button");
    await page.until(`document.querySelector("[role=alert]")`);
    expect(await directions()).toEqual(["rtl", "rtl", "ltr"]);
  });

  test("follows a password and leads to a call to action, in dark mode", async () => {
    const ctaOverlay = { enabled: true, message: "One more thing", mode: "overlay" as const };
    const link = await create({ leadCapture: { enabled: true }, ctaOverlay, password: "open sesame" });
    const page = await browser.page({ ...PHONE, isDark: true });
    await page.open(link.shortUrl);
    expect(await page.evaluate<string[]>(FAULTS)).toEqual([]);
    await page.until(`document.activeElement.id === "password"`);
    await page.type("open sesame");
    await page.click("button");
    await page.until(`document.querySelector("#field-0")`);
    await page.click("#field-0");
    await page.type("ada@example.com");
    await page.click("button");
    await page.until(`document.querySelector("main.overlay.bottom")`);
    expect(await page.evaluate<string[]>(FAULTS)).toEqual([]);
    await page.click("a.button");
    await page.until(IS_THERE);
    expect((await leadsOf(link._id)).length).toBe(1);
  });
});

describe("a password in the URL", async () => {
  const password = "open sesame";
  const retargetingPixels = [
    { provider: "meta" as const, id: "1234567890" },
    { provider: "tiktok" as const, id: "C4A1B2C3D4E5F6G7H8I9" },
  ];

  test.each(["pw=open%20sesame", "%70w=open+sesame", "pass%77ord=open%20sesame"])(
    "%s reaches neither pixels nor the destination after a form",
    async (query) => {
      const link = await create({ leadCapture: { enabled: true }, retargetingPixels, password });
      const page = await browser.page({ answer: () => "" });
      await page.open(`${link.shortUrl}?${query}`);
      await page.until(`document.querySelector("#field-0")`);
      await page.click("#field-0");
      await page.type("ada@example.com");
      await page.click("button");
      await page.until(IS_THERE);
      expect(page.asked).toEqual([]);
      expect(await page.evaluate<string>("document.referrer")).toBe(`${service.url}/`);
      expect(referrers.join()).not.toMatch(/sesame/);
    },
  );

  test("that is wrong reaches neither of them either, after the right one is typed", async () => {
    const link = await create({ password, retargetingPixels });
    const page = await browser.page({ answer: () => "" });
    await page.open(`${link.shortUrl}?pw=open+sesam`);
    await page.click("#password");
    await page.type(password);
    await page.click("button");
    await page.until(IS_THERE);
    expect(page.asked).toEqual([]);
    expect(referrers.join()).not.toMatch(/sesam/);
  });

  test("turns pixels off, but a password that is typed does not", async () => {
    const link = await create({ password, retargetingPixels });
    const page = await browser.page({ answer: () => "", begin: PATIENCE });
    await page.open(link.shortUrl);
    await page.click("#password");
    await page.type(password);
    await page.click("button");
    await page.until(IS_THERE);
    expect(page.asked.map((url) => new URL(url).hostname).sort()).toEqual(["analytics.tiktok.com", "www.facebook.com"]);
  });
});

describe("on the way to the App Store", async () => {
  const appProfileId = await addApp(service, ada.orgId, { ios: { appStoreId: "284882215" } });
  const link = await create({ appProfileId });
  const answer = () => "<!doctype html><title>App Store</title>App Store";

  test("the button copies the short URL with the match token to the clipboard", async () => {
    const page = await browser.page({ ...PHONE, userAgent: IPHONE, answer });
    await page.open(link.shortUrl);
    expect(await page.evaluate<string[]>(FAULTS)).toEqual([]);
    await page.click("a.button");
    await page.until(`document.title === "App Store"`);
    const [asked = ""] = page.asked;
    const token = new URL(asked).searchParams.get("ct");
    expect(new URL(asked).hostname).toBe("apps.apple.com");
    expect(await page.evaluate<string>(`navigator.clipboard.readText()`)).toBe(`${link.shortUrl}?match_token=${token}`);
    expect(page.complaints).toEqual([]);
  });

  test("the button is a plain link without JavaScript", async () => {
    const page = await browser.page({ ...PHONE, userAgent: IPHONE, hasJavaScript: false, answer });
    await page.open(link.shortUrl);
    await page.click("a.button");
    await page.until(`document.title === "App Store"`);
  });
});

describe("in another app's browser on iOS", async () => {
  const appProfileId = await addApp(service, ada.orgId, { ios: { bundleId: "com.acme" }, fallback: "web" });
  const link = await create({ appProfileId });
  const userAgent = `${IPHONE} Instagram 424.1.0.31.54 (iPhone18,4; iOS 26_4_1; en_GB)`;

  test("the way to the browser and the way to the destination are links that need no JavaScript", async () => {
    const page = await browser.page({ ...PHONE, userAgent, hasJavaScript: false });
    await page.open(link.shortUrl);
    expect(await page.evaluate<string[]>(FAULTS)).toEqual([]);
    expect(await page.evaluate<string>(`document.querySelector("a.button").href`)).toStartWith(
      `instagram://extbrowser/?url=${encodeURIComponent(link.shortUrl)}`,
    );
    await page.click("a.on");
    await page.until(IS_THERE);
  });
});

describe("pixels", async () => {
  const link = await create({
    retargetingPixels: [
      { provider: "meta", id: "1234567890" },
      { provider: "google", id: "G-ABC1234567" },
      { provider: "tiktok", id: "C4A1B2C3D4E5F6G7H8I9" },
      { provider: "snapchat", id: "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0" },
    ],
  });
  /** Stands in for Google's script, which sends what was queued to a regional host. */
  const GOOGLE = `fetch("https://region1.google-analytics.com/g/collect?tid="+dataLayer[1][1],{method:"POST",mode:"no-cors"})`;
  const answer = (url: string) => (url.includes("googletagmanager") ? GOOGLE : "");
  /** Stands in for TikTok's script, of which each pixel loads its own. */
  const TIKTOK = (id: string) =>
    `if(ttq._i["${id}"]&&ttq.some(([call])=>call==="page"))fetch("https://analytics.tiktok.com/?fired=${id}",{mode:"no-cors"})`;
  /** Stands in for Snapchat's script, which sends an event for all pixels that are initialized by then. */
  const SNAPCHAT = `const ids=[];snaptr.handleRequest=(call,id)=>{if(call==="init")ids.push(id);
else for(const id of ids)fetch("https://tr.snapchat.com/?fired="+id,{mode:"no-cors"})};
for(const call of snaptr.queue)snaptr.handleRequest(...call)`;

  test.each([
    ["with JavaScript", true],
    ["without JavaScript", false],
  ])("are fired before the destination, %s", async (_, hasJavaScript) => {
    const page = await browser.page({ hasJavaScript, answer, begin: PATIENCE });
    await page.open(link.shortUrl);
    await page.until(IS_THERE);
    const hosts = page.asked.map((url) => new URL(url).hostname).sort();
    const scripts = [
      "analytics.tiktok.com",
      "region1.google-analytics.com",
      "sc-static.net",
      "www.googletagmanager.com",
    ];
    expect(hosts).toEqual([...(hasJavaScript ? scripts : []), "www.facebook.com"].sort());
    expect(page.complaints).toEqual([]);
  });

  test("are all fired if a provider has several", async () => {
    const tiktok = ["C4A1B2C3D4E5F6G7H8I9", "D5B2C3D4E5F6G7H8I9J0"];
    const snapchat = ["0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0", "1b1c2d3e-4f50-6172-8394-a5b6c7d8e9f1"];
    const several = await create({
      ctaOverlay: { enabled: true, message: "Look" },
      retargetingPixels: [
        ...tiktok.map((id) => ({ provider: "tiktok" as const, id })),
        ...snapchat.map((id) => ({ provider: "snapchat" as const, id })),
      ],
    });
    const page = await browser.page({
      answer: (url) => {
        if (url.includes("/i18n/pixel/events.js")) return TIKTOK(new URL(url).searchParams.get("sdkid") ?? "");
        return url.includes("scevent") ? SNAPCHAT : "";
      },
    });
    await page.open(several.shortUrl);
    const fired = () => page.asked.flatMap((url) => new URL(url).searchParams.get("fired") ?? []);
    await eventually(async () => [...new Set(fired())].toSorted(), [...tiktok, ...snapchat].toSorted());
    expect(page.asked.filter((url) => url.includes("scevent"))).toHaveLength(1);
    expect(page.complaints).toEqual([]);
  });

  test("are not fired for visitors who object with Sec-GPC", async () => {
    const page = await browser.page({ headers: { "Sec-GPC": "1" }, answer });
    await page.open(link.shortUrl);
    await page.until(IS_THERE);
    expect(page.asked).toEqual([]);
  });

  test.each([
    ["are not found", undefined],
    ["never answer", null],
  ])("do not hold visitors back if their providers %s", async (_, answered) => {
    const page = await browser.page({ answer: () => answered });
    await page.open(link.shortUrl);
    await page.until(IS_THERE);
  });

  test("that never load leave a link for browsers without JavaScript, which wait for them", async () => {
    const page = await browser.page({ hasJavaScript: false, answer: () => null });
    await page.open(link.shortUrl, "read");
    await page.click("a.button");
    await page.until(IS_THERE);
  });
});
