/**
 * Pages on the way to the destination: calls to action, pixels, the hand-over to the App Store, opening the app from
 * within other apps.
 */
import { describe, expect, test } from "bun:test";
import { addApp, addDomain } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { FIREFOX, IPHONE, PIXEL, visitorOf, visitTokenIn } from "@test/support/forms";
import { startTestService } from "@test/support/service";
import { untilShown } from "@test/support/until";
import type { LinkInput } from "@/contract/links/links";
import { openLink } from "@/http/docs/guide/examples/open-link";

const service = await startTestService();
const ada = await service.register();
const defaultUrl = "https://example.com/page?a=1";
const { open, send } = visitorOf(service, "192.0.2.1");
const appProfileId = await addApp(service, ada.orgId, {
  ios: { appStoreId: "284882215", scheme: "acme" },
  android: { packageName: "com.acme", scheme: "acme" },
});
const create = (input: Partial<LinkInput>) => service.createLink(ada, { defaultUrl, ...input });
const STORE = /https:\/\/apps\.apple\.com\/app\/id284882215\?ct=([\w-]{30})&amp;mt=8/;

const seen = async (path: string, headers: Record<string, string> = {}) => {
  const page = await open(path, headers);
  return {
    status: page.status,
    html: await page.text(),
    location: page.headers.get("location"),
    headers: page.headers,
  };
};
const clicksOf = async (linkId: string): Promise<number> => {
  await waitUntilDrained(service.service);
  const [row] = await service.sql`select count(*)::int as clicks from clicks where link_id = ${linkId}`;
  return row?.clicks;
};

/** Clients that see no page and are redirected as usual. */
const OTHERS: [string, Record<string, string>][] = [
  ["a program", { accept: "*/*" }],
  ["a program that refuses HTML", { accept: "text/html;q=0, */*" }],
  ["who asks for JSON", { accept: "application/json" }],
  ["a robot", { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }],
  ["a prefetch", { "sec-purpose": "prefetch" }],
];

describe("a call to action", async () => {
  const cta = {
    enabled: true,
    message: "20 % <off>",
    buttonText: "See it",
    buttonUrl: "https://shop.example.com/?x=1&lt=2",
  };
  const link = await create({ slug: "cta", ctaOverlay: cta });

  test("appears before the destination, with a link to continue there", async () => {
    const { status, html } = await seen("/cta?b=2&pw=x");
    expect(status).toBe(200);
    expect(html).toContain("20 % &lt;off&gt;</h1>");
    expect(html).toContain('<a class="button" href="https://shop.example.com/?x=1&amp;lt=2" dir="auto">See it</a>');
    expect(html).toContain(`<a class="on" href="${defaultUrl}&amp;b=2" dir="auto">Continue</a>`);
    expect(html).not.toContain("<script");
  });

  test("has its usual texts in place of blank ones", async () => {
    await create({ slug: "cta-blank", title: " ", ctaOverlay: { enabled: true, message: " ", buttonText: " " } });
    const { html } = await seen("/cta-blank");
    expect(html).toContain("Before you continue</h1>");
    expect(html).toContain(`<a class="button" href="${defaultUrl}" dir="auto">Continue</a>`);
  });

  test("previews the destination with the link's social title and an image from our own host", async () => {
    const social = { title: "Spring <menu>", imageUrl: "https://shop.example.com/spring.jpg" };
    const { _id } = await create({ slug: "cta-card", title: "Ours", social, ctaOverlay: cta });
    const { html } = await seen("/cta-card");
    expect(html).toContain('Spring &lt;menu&gt;</b><span dir="ltr">example.com</span>');
    expect(html).toMatch(new RegExp(`<img src="/\\.well-known/waymark/images/preview/${_id}/[0-9a-f]{32}" alt=""`));
    expect(html).not.toContain("spring.jpg");
    await create({ slug: "cta-bare", ctaOverlay: cta });
    expect((await seen("/cta-bare")).html).toContain('<div><span dir="ltr">example.com</span></div>');
  });

  test("counts as a click when it is shown", async () => {
    const before = await clicksOf(link._id);
    await seen("/cta");
    expect(await clicksOf(link._id)).toBe(before + 1);
  });

  test("has a button that leads to the destination if it has no URL of its own", async () => {
    await create({ slug: "plain", ctaOverlay: { enabled: true, mode: "overlay", position: "top" } });
    const { html } = await seen("/plain", { "accept-language": "de-AT,de;q=0.9,en;q=0.8" });
    expect(html.match(/<a /g)?.length).toBe(1);
    expect(html).toContain('<a class="button" href="https://example.com/page?a=1" dir="auto">Weiter</a>');
    expect(html).toContain('<main class="center overlay top">');
  });

  test.each(OTHERS)("is not for %s", async (_, headers) => {
    expect(await seen("/cta", headers)).toMatchObject({ status: 302, location: defaultUrl });
  });

  test("is not shown for HEAD", async () => {
    expect((await fetch(link.shortUrl, { method: "HEAD", redirect: "manual" })).status).toBe(302);
  });

  test("counts toward maxClicks when it is shown", async () => {
    await create({ slug: "once", maxClicks: 1, ctaOverlay: cta });
    expect([(await seen("/once")).status, (await seen("/once")).status]).toEqual([200, 410]);
  });

  test("returns 405 for other methods, like any link", async () => {
    expect((await fetch(link.shortUrl, { method: "POST", body: "" })).status).toBe(405);
  });
});

describe("pixels", async () => {
  const retargetingPixels = [
    { provider: "meta" as const, id: "1234567890" },
    { provider: "tiktok" as const, id: "C4A1B2C3D4E5F6G7H8I9" },
    { provider: "x" as const, id: "o1a2b", isActive: false },
  ];
  const link = await create({ slug: "px", retargetingPixels });
  await create({ slug: "px-open", retargetingPixels, ctaOverlay: { enabled: true, message: "Look" } });

  test("fire on a page that continues by itself, and may load only from their providers", async () => {
    const { status, html, headers } = await seen("/px?b=2");
    expect(status).toBe(200);
    expect(html).toContain('src="https://www.facebook.com/tr?id=1234567890&amp;ev=PageView&amp;noscript=1"');
    expect(html).toContain("https://analytics.tiktok.com/i18n/pixel/events.js?sdkid=C4A1B2C3D4E5F6G7H8I9");
    expect(html).toContain(`<meta http-equiv="refresh" content="1;url=${defaultUrl}&amp;b=2"/>`);
    expect(html).not.toContain("o1a2b");
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("img-src 'self' https://www.facebook.com https://analytics.tiktok.com;");
    expect(policy).toMatch(/script-src 'nonce-[^ ]+' https:\/\/analytics\.tiktok\.com;/);
    expect(policy).toContain("connect-src https://analytics.tiktok.com;");
    expect(policy).not.toContain("unsafe");
  });

  test.each([
    "pw=open",
    "a=1&PASSWORD=open",
    "%70w=open",
    "p%77=open",
    "pass%57ord=open",
    "a=1&pw=open&pw=sesame",
    "pw",
    "match_token=AAAA",
  ])("are on no page whose address has ?%s, which their scripts could read", async (query) => {
    expect(await seen(`/px?${query}`)).toMatchObject({ status: 302 });
    const { status, html, headers } = await seen(`/px-open?${query}`);
    expect(status).toBe(200);
    expect(html).not.toMatch(/tiktok|facebook/);
    expect(headers.get("content-security-policy")).not.toMatch(/tiktok|facebook/);
  });

  test("are fired behind a password, wherever the visitor comes from, and by visits that another link counted", async () => {
    await create({ slug: "px-guarded", retargetingPixels, password: "open sesame" });
    const page = await seen("/px-guarded?b=2", { referer: "https://news.example/a" });
    const [, action = ""] = /<form method="post" action="([^"]*)"/.exec(page.html) ?? [];
    expect(action).toBe("?b=2&amp;wm_referrer=https%3A%2F%2Fnews.example");
    const sent = await send(`/px-guarded${action.replace("&amp;", "&")}`, { password: "open sesame" });
    expect(await sent.text()).toContain("facebook.com/tr?id=");
    const { status, html } = await seen("/px?wm_cid=019f0000-0000-7000-8000-000000000000");
    expect([status, html.includes("facebook.com/tr?id=")]).toEqual([200, true]);
    expect((await seen("/px?wm_referrer=https%3A%2F%2Fnews.example&pw=open")).status).toBe(302);
  });

  test.each([["Sec-GPC"], ["DNT"]])("do not fire for visitors who send %s: 1", async (name) => {
    expect(await seen("/px", { [name]: "1" })).toMatchObject({ status: 302, location: defaultUrl });
    expect((await seen("/px", { [name]: "0" })).status).toBe(200);
  });

  test.each(OTHERS)("do not fire for %s", async (_, headers) => {
    expect(await seen("/px", headers)).toMatchObject({ status: 302, location: defaultUrl });
  });

  test("fire on the call to action instead of an extra page, except for visitors who object", async () => {
    const ctaOverlay = { enabled: true, message: "Look" };
    await create({ slug: "px-cta", retargetingPixels, ctaOverlay });
    const shown = await seen("/px-cta");
    expect(shown.html).toContain("facebook.com/tr?id=");
    expect(shown.html).not.toContain("http-equiv");
    const objecting = await seen("/px-cta", { "sec-gpc": "1" });
    expect([objecting.status, objecting.html.includes("facebook")]).toEqual([200, false]);
    expect(objecting.headers.get("content-security-policy")).not.toContain("facebook");
  });

  test("count a visit once", async () => {
    const before = await clicksOf(link._id);
    await seen("/px");
    expect(await clicksOf(link._id)).toBe(before + 1);
  });
});

describe("on the way to the App Store", async () => {
  const link = await create({ slug: "get", appProfileId });

  test("an iPhone visitor can copy the match token that the store URL contains", async () => {
    const { status, html } = await seen("/get", { "user-agent": IPHONE });
    const [, token] = STORE.exec(html) ?? [];
    expect([status, typeof token]).toEqual([200, "string"]);
    expect(html).toContain(`data-copy="${link.shortUrl}?match_token=${token}"`);
    const match = await service.call("POST", "/api/v1/match", { body: { matchToken: token } });
    expect(match.body).toMatchObject({ matched: true, destinationUrl: defaultUrl });
  });

  test("the page shows the app's icon, name and subtitle, and a link to continue in the browser", async () => {
    const body = { name: "Acme <Shop>", iconUrl: "https://acme.example/i.png", subtitle: "Order & go" };
    const path = `/api/v1/organizations/${ada.orgId}/apps/${appProfileId}`;
    await service.call("PATCH", path, { token: ada.token, body });
    const open = async (address: string) => (await seen(address, { "user-agent": IPHONE })).html;
    const html = await untilShown(() => open("/get?b=2"), "Acme &lt;Shop&gt;</h1>");
    expect(html).toContain(
      `<img src="/.well-known/waymark/icons/apps/${appProfileId}" alt="" width="88" height="88"/>`,
    );
    expect(html).toContain("Order &amp; go</p>");
    expect(html).toContain(`<a class="on" href="${defaultUrl}&amp;b=2" dir="auto">Continue in the browser</a>`);
    expect(html).not.toContain("<header");
    await service.call("PATCH", path, { token: ada.token, body: { name: "App", iconUrl: null, subtitle: null } });
    const plain = await untilShown(() => open("/get"), '<span class="tile" aria-hidden="true">A</span>');
    expect(plain).not.toContain("icons/apps");
  });

  test("the page shows the link's social title and image, with the app beside them", async () => {
    const social = { title: "Nine <new> coffees", imageUrl: "https://shop.example.com/spring.jpg" };
    const { _id } = await create({ slug: "get-shared", title: "Internal", appProfileId, social });
    for (const userAgent of [IPHONE, `${IPHONE} Instagram 330.0.3.29.109`]) {
      const { html } = await seen("/get-shared", { "user-agent": userAgent });
      expect(html).toMatch(
        new RegExp(`<img class="awaited" src="/\\.well-known/waymark/images/preview/${_id}/[0-9a-f]{32}" alt=""`),
      );
      expect(html).toContain("Nine &lt;new&gt; coffees</h1>");
      expect(html).toContain('<div><b dir="auto">App</b></div>');
      expect([html.match(/<h1/g)?.length, html.includes("spring.jpg"), html.includes("Internal")]).toEqual([
        1,
        false,
        false,
      ]);
    }
  });

  test.each([
    [
      "an image alone above the app",
      { imageUrl: "https://shop.example.com/spring.jpg" },
      /class="awaited".*App<\/h1>/s,
    ],
    ["a title alone", { title: "Spring" }, /^(?!.*class="awaited").*Spring<\/h1><div class="by">/s],
    ["nothing of a card with only a description", { description: "Nine" }, /^(?!.*Nine).*App<\/h1>/s],
  ])("the page shows %s", async (name, social, expected) => {
    const slug = name.replaceAll(" ", "-");
    await create({ slug, title: "Internal", appProfileId, social });
    const { html } = await seen(`/${slug}`, { "user-agent": IPHONE });
    expect(html).toMatch(expected);
    expect([html.match(/<h1/g)?.length, html.includes("Internal")]).toEqual([1, false]);
  });

  test("the page shows the link's card also if a rule leads to another app, which has no name here", async () => {
    const rules = [{ destinationUrl: "https://apps.apple.com/app/id111111111" }];
    await create({ slug: "other-shared", appProfileId, rules, social: { title: "Spring" } });
    const { html } = await seen("/other-shared", { "user-agent": IPHONE });
    expect(html).toContain("Spring</h1><p>Get it from the App Store.");
  });

  test("the page of a domain's unnamed app shows the organization's name", async () => {
    const ios = { appStoreId: "284882215" };
    const appConfig = { ios, fallback: "store" as const, subtitle: "Of the domain" };
    const bob = await service.register();
    const domainId = await addDomain(service, bob.orgId, { hostname: "app.bob.test", appConfig });
    await service.createLink(bob, { slug: "get", defaultUrl, domainId });
    const headers = { "user-agent": IPHONE, host: "app.bob.test" };
    const html = await untilShown(async () => (await seen("/get", headers)).html, "Acme");
    expect(html).toMatch(/Acme \d+<\/h1><p class="line" dir="auto">Of the domain<\/p>/);
  });

  test("the page does not show the link's app if a rule leads to another app", async () => {
    const rules = [{ destinationUrl: "https://apps.apple.com/app/id111111111" }];
    await create({ slug: "other-app", appProfileId, rules });
    const { html } = await seen("/other-app", { "user-agent": IPHONE });
    expect(html).toContain("Get the app</h1>");
    expect(html).not.toContain('<div class="app">');
  });

  test("the page offers only the store if the link has no other destination", async () => {
    await create({ slug: "store-alone", defaultUrl: "https://apps.apple.com/app/id284882215" });
    expect((await seen("/store-alone", { "user-agent": IPHONE })).html).not.toContain('class="on"');
  });

  test("a match token in the short URL is not passed on to the destination", async () => {
    const { location } = await seen("/get?match_token=abc&b=2");
    expect(location).toBe(`${defaultUrl}&b=2`);
  });

  test("the page also appears if a rule leads to the store, for links without an app", async () => {
    await create({ slug: "ruled", rules: [{ destinationUrl: "https://apps.apple.com/app/id284882215" }] });
    const { html } = await seen("/ruled", { "user-agent": IPHONE });
    expect(html).toMatch(STORE);
    expect((await seen("/ruled")).status).toBe(302);
  });

  test("Android devices and computers are redirected without the page", async () => {
    expect(await seen("/get", { "user-agent": PIXEL })).toMatchObject({ status: 302 });
    expect(await seen("/get", { "user-agent": FIREFOX })).toMatchObject({ status: 302, location: defaultUrl });
  });

  test("a call to action passes the token on instead of showing a separate page", async () => {
    await create({ slug: "app-cta", appProfileId, ctaOverlay: { enabled: true, message: "Look" } });
    const { html } = await seen("/app-cta", { "user-agent": IPHONE });
    expect(html).toMatch(/<a class="button" href="https:\/\/apps\.apple\.com\/[^"]*" data-copy="[^"]*match_token=/);
    expect(html).toContain("<script nonce=");
  });
});

describe("in another app's browser", async () => {
  const [inIos, inAndroid] = [`${IPHONE} Instagram 330.0.3.29.109`, `${PIXEL} [FB_IAB/FB4A;FBAV/460.0]`];
  const link = await create({ slug: "in", appProfileId });
  const address = link.shortUrl.replace(/^https?:/, "");

  test("the page on iOS offers the app by its scheme, its store and the web", async () => {
    const { status, html } = await seen("/in?b=2&pw=x", { "user-agent": inIos });
    expect(status).toBe(200);
    expect(html).toContain(`<a class="button" href="acme:${address}?b=2" dir="auto">Open the app</a>`);
    expect(html).toMatch(
      /<a class="on" href="https:\/\/apps\.apple\.com\/[^"]*" data-copy="[^"]*" dir="auto">Get the app/,
    );
    expect(html).toContain(`<a class="on" href="${defaultUrl}&amp;b=2" dir="auto">Continue in the browser</a>`);
  });

  test("the page on Android offers the app by an intent that falls back on the store", async () => {
    const { html } = await seen("/in?b=2", { "user-agent": inAndroid });
    const [, fallback = ""] =
      /href="intent:[^"]*\/in\?b=2#Intent;scheme=acme;package=com\.acme;S\.browser_fallback_url=([^;"]*);end"/.exec(
        html,
      ) ?? [];
    expect(decodeURIComponent(fallback)).toMatch(
      /^https:\/\/play\.google\.com\/store\/apps\/details\?id=com\.acme&referrer=match_token%3D/,
    );
    expect(html).toContain(`<a class="on" href="${defaultUrl}&amp;b=2" dir="auto">Continue in the browser</a>`);
  });

  test.each([
    ["iOS", inIos, /href="(acme:[^"]*)"/],
    ["Android", inAndroid, /href="intent:([^"#]*)#Intent/],
  ])("the app on %s resolves the link although its visitor took the last place", async (_, userAgent, button) => {
    const once = await create({ appProfileId, maxClicks: 1, deepLinkPayload: { screen: "offer" } });
    const { html } = await seen(`/${once.slug}?b=2`, { "user-agent": userAgent });
    const [, href = ""] = button.exec(html) ?? [];
    const opened = href.replaceAll("&amp;", "&").replace(/^(?:acme:)?/, "acme:");
    expect(await openLink(service.url, opened, "ios")).toMatchObject({ deepLinkPayload: { screen: "offer" } });
    const others = await create({ appProfileId, maxClicks: 1 });
    expect((await seen(`/${others.slug}`, { "user-agent": userAgent })).status).toBe(200);
    for (const url of [once.shortUrl, opened.replace(once.slug, others.slug), `${opened}x`]) {
      expect(await openLink(service.url, url, "ios")).toBeNull();
    }
    expect((await seen(`/${once.slug}${new URL(opened).search}`, { "user-agent": IPHONE })).status).toBe(410);
  });

  test("links without an app redirect, and so do computers", async () => {
    await create({ slug: "no-app" });
    expect((await seen("/no-app", { "user-agent": inIos })).status).toBe(302);
    expect((await seen("/in", { "user-agent": `${FIREFOX} [FB_IAB/FB4A]` })).status).toBe(302);
  });

  describe("on iOS, if the app has no scheme", async () => {
    const byUniversalLink = await addApp(service, ada.orgId, { ios: { bundleId: "com.acme" }, fallback: "web" });
    const plain = await create({ slug: "universal", appProfileId: byUniversalLink });
    const headers = { "user-agent": inIos };

    /** Returns where the button leads in the browser that it opens. */
    const wayOut = (html: string): string => {
      const [, href = ""] = /<a class="button" href="([^"]*)"/.exec(html) ?? [];
      const url = URL.parse(href.replaceAll("&amp;", "&"));
      return url?.searchParams.get("url") ?? String(url).replace(/^x-safari-/, "");
    };
    const pathOf = (url: string) => url.replace(service.url, "").replace(/^https?:\/\/[^/]*/, "");

    test("the page offers the visitor's own browser, where the same visit goes on to the destination", async () => {
      const { status, html } = await seen("/universal?b=2&pw=x", headers);
      expect(status).toBe(200);
      expect(html).toMatch(
        /<a class="button" href="instagram:\/\/extbrowser\/\?url=[^"]*" dir="auto">Open in your browser<\/a>/,
      );
      expect(html).toContain("choose “Open in browser” in this app’s menu");
      expect(html).toContain(`<a class="on" href="${defaultUrl}&amp;b=2" dir="auto">Continue here</a>`);
      expect(html).not.toContain("<script");
      const url = wayOut(html);
      expect(url.replace(/=[\w-]{64}$/, "=…")).toBe(`${plain.shortUrl}?b=2&wm_visit=…`);
      const clicks = await clicksOf(plain._id);
      const safari = { "user-agent": IPHONE };
      expect(await seen(pathOf(url), safari)).toMatchObject({ status: 302, location: `${defaultUrl}&b=2` });
      expect(await clicksOf(plain._id)).toBe(clicks);
      expect((await seen(`${pathOf(url)}x`, safari)).location).toBe(`${defaultUrl}&b=2`);
      expect(await clicksOf(plain._id)).toBe(clicks + 1);
    });

    test("the visit leads where it did in the other app, by the page that it came from", async () => {
      const rules = [{ destinationUrl: "https://example.com/news", conditions: { referrers: ["news.example"] } }];
      const own = await create({ appProfileId: byUniversalLink, rules });
      const { html } = await seen(`/${own.slug}?b=2`, { ...headers, referer: "https://news.example/today" });
      expect(html).toContain('<a class="on" href="https://example.com/news?b=2"');
      const path = pathOf(wayOut(html));
      const safari = { "user-agent": IPHONE };
      expect((await seen(path, safari)).location).toBe("https://example.com/news?b=2");
      expect((await seen(path, safari)).location).toBe(`${defaultUrl}&b=2`);
    });

    test("behind a password, the visit leads there, too, and that of someone else who has its address does not", async () => {
      const rules = [{ destinationUrl: "https://example.com/news", conditions: { referrers: ["news.example"] } }];
      const own = await create({ appProfileId: byUniversalLink, rules, password: "open sesame" });
      const known = { "x-link-password": "open sesame", referer: "https://news.example/today" };
      const path = pathOf(wayOut((await seen(`/${own.slug}?b=2`, { ...headers, ...known })).html));
      const unlock = async () => {
        const { status, html } = await seen(path, { "user-agent": IPHONE });
        expect(status).toBe(403);
        const [, action] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
        const address = action === undefined ? path : `/${own.slug}${action.replaceAll("&amp;", "&")}`;
        return (await send(address, { password: "open sesame" }, { "user-agent": IPHONE })).headers.get("location");
      };
      expect(await unlock()).toBe("https://example.com/news?b=2");
      expect(await unlock()).toBe(`${defaultUrl}&b=2`);
      expect(await clicksOf(own._id)).toBe(2);
    });

    test("the visit continues once, and only for a person; other requests to its address are new visits", async () => {
      const safari = { "user-agent": IPHONE };
      const counted = async (path: string, visitor: Record<string, string>) => {
        const before = await clicksOf(plain._id);
        await seen(path, visitor);
        return (await clicksOf(plain._id)) - before;
      };
      const path = pathOf(wayOut((await seen("/universal", headers)).html));
      for (const [, robot] of OTHERS) expect(await counted(path, { ...safari, ...robot })).toBe(1);
      expect(await counted(path, safari)).toBe(0);
      expect([await counted(path, safari), await counted(path, safari)]).toEqual([1, 1]);
      const again = pathOf(wayOut((await seen(path, headers)).html));
      expect(await counted(again, safari)).toBe(0);
    });

    test("the visit's token neither opens a locked link nor continues a visit to another link", async () => {
      const locked = await create({ slug: "universal-locked", appProfileId: byUniversalLink, password: "open sesame" });
      const { html } = await seen("/universal-locked", { ...headers, "x-link-password": "open sesame" });
      const path = pathOf(wayOut(html));
      expect((await seen(path, { "user-agent": IPHONE })).status).toBe(403);
      const clicks = await clicksOf(plain._id);
      await seen(path.replace("universal-locked", "universal"), { "user-agent": IPHONE });
      expect([await clicksOf(plain._id), await clicksOf(locked._id)]).toEqual([clicks + 1, 1]);
    });

    test("the page opens Safari by its own URL scheme, in a new window for apps that need one", async () => {
      const page = async (userAgent: string) => (await seen("/universal", { "user-agent": userAgent })).html;
      const href = `href="x-safari-${plain.shortUrl}\\?wm_visit=[\\w-]{64}"`;
      expect(await page(`${IPHONE} [LinkedInApp]/9.31`)).toMatch(new RegExp(`${href} dir`));
      expect(await page(`${IPHONE} [FBAN/FBIOS;FBAV/500.0]`)).toMatch(
        new RegExp(`${href} target="_blank" rel="noopener" dir`),
      );
    });

    test.each([
      ["de", "Im Browser öffnen"],
      ["es", "Abrir en el navegador"],
      ["fr", "Ouvrir dans le navigateur"],
      ["it", "Apri nel browser"],
      ["nl", "Openen in de browser"],
      ["pt", "Abrir no navegador"],
    ])("is said in %s", async (language, button) => {
      const { html } = await seen("/universal", { ...headers, "accept-language": language });
      expect(html).toContain(`>${button}</a>`);
    });

    test("the page also offers the store if visitors without the app are sent there", async () => {
      const profile = await addApp(service, ada.orgId, { ios: { bundleId: "com.acme", appStoreId: "284882215" } });
      await create({ slug: "universal-store", appProfileId: profile });
      const { html } = await seen("/universal-store", headers);
      expect(html).toContain(">Open in your browser</a>");
      expect(html).toMatch(STORE);
      expect((await seen("/universal-store", { "user-agent": IPHONE })).html).not.toContain("Open in your browser");
    });

    test("the page is not shown for links with maxClicks, nor after a form was sent", async () => {
      await create({ slug: "universal-few", appProfileId: byUniversalLink, maxClicks: 5 });
      expect((await seen("/universal-few", headers)).status).toBe(302);
      const leadCapture = { enabled: true, fields: [{ name: "email", label: "Email", type: "email" as const }] };
      await create({ slug: "universal-form", appProfileId: byUniversalLink, leadCapture });
      const { html } = await seen("/universal-form", headers);
      expect(html).toContain("<form");
      const { send } = visitorOf(service, "192.0.2.1");
      const sent = await send("/universal-form", { wm_pass: visitTokenIn(html), email: "ada@example.com" }, headers);
      expect([sent.status, sent.headers.get("location")]).toEqual([303, defaultUrl]);
    });
  });

  test.each(OTHERS.filter(([, headers]) => !headers["user-agent"]))("is not for %s", async (_, headers) => {
    expect((await seen("/in", { "user-agent": inAndroid, ...headers })).status).toBe(302);
  });
});
