/** The dashboard's shell and link list in a real browser: by keyboard, in light and dark, on phone and desktop. */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { startBrowser } from "@test/support/browser/browser";
import {
  button,
  type DashboardPage,
  goBack,
  hasAnswer,
  labelled,
  lastButton,
  openSignedInPage,
  QUICK_INTERVALS,
  says,
} from "@test/support/browser/dashboard";
import { wordsIn } from "@test/support/dashboard/words";
import { IPHONE } from "@test/support/forms";
import { startTestService } from "@test/support/service";
import type { Invitation } from "@/contract/accounts/members";
import type { Link } from "@/contract/links/links";
import { LANGUAGES } from "@/core/pages/page-languages";
import type { Words } from "@/dashboard/words";
import { accountsDe } from "@/modules/app-pages/words/de";
import { waitUntilDrained } from "../support/clicks/drained";

const [en, de, fr] = [await wordsIn("en"), await wordsIn("de"), await wordsIn("fr")];
const service = await startTestService();
const { call, url } = service;
/** Served without https. Unlike `localhost`, browsers do not treat this host as secure. */
const OWN_HOST = "links.acme.test";
const browser = await startBrowser({ hosts: [OWN_HOST] });
const linksOf = async (account: { orgId: string; token: string }) =>
  (await call<{ links: Link[] }>("GET", `/api/v1/organizations/${account.orgId}/links`, account)).body.links;
const slugOf = async (account: { orgId: string; token: string }) =>
  (await call<{ slug: string }>("GET", `/api/v1/organizations/${account.orgId}`, account)).body.slug;
const rows = (count: number) => `document.querySelectorAll(".list-row input").length === ${count}`;
const currentRow = `[...document.querySelectorAll(".list-row")].findIndex((row) => row.dataset.current === "true")`;

test("the components have no accessibility faults", async () => {
  const page = await openSignedInPage(browser, service, await service.register());
  await page.open(`${url}/app/ui`);
  await page.until(`document.querySelectorAll("h2").length > 5`);
  await page.until(`!!document.querySelector(".phone iframe")`);
  await page.takeScreenshots("ui");
  expect(await page.faults()).toEqual([]);
  expect(page.complaints).toEqual([]);
});

test("each screen has its own title, for tabs, bookmarks, the history and screen readers", async () => {
  const ada = await service.register();
  const { slug } = await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app`);
  await page.until(`document.title === "Links · Waymark" && ${rows(1)}`);
  await page.evaluate(`document.querySelector(".list-row a").click()`);
  await page.until(`document.title.endsWith("/${slug} · Waymark")`);
  await page.evaluate(`document.querySelector("nav.side a[href$='/settings']").click()`);
  await page.until(`document.title === "Settings · Waymark"`);
  await goBack(page);
  await page.until(`document.title.endsWith("/${slug} · Waymark")`);
});

test("a screen that is opened begins at its top and has the focus, and Back leads to where the list was left", async () => {
  const ada = await service.register();
  const links = Array.from({ length: 80 }, (_, at) => ({ defaultUrl: `https://example.com/${at}`, tags: ["spring"] }));
  await call("POST", `/api/v1/organizations/${ada.orgId}/links/bulk`, { ...ada, body: { links } });
  const page = await openSignedInPage(browser, service, ada, { width: 1_280, height: 800 });
  const isAtTop = `scrollY === 0 && document.activeElement.id === "main"`;
  const list = `document.querySelector("main ul[aria-label]")`;
  await page.open(`${url}/app/o/${await slugOf(ada)}/links?tag=spring`);
  await page.until(`${list}?.getBoundingClientRect().height > 2_000`);
  // The second time, the link is known, and its screen is high at once.
  for (const _ of ["first", "second"]) {
    await page.evaluate("scrollTo(0, 2_000)");
    await page.until(`scrollY === 2_000 && !!document.querySelector("li[data-index='40'] a")`);
    await page.evaluate(`document.querySelector("li[data-index='40'] a").click()`);
    await page.until(`!!${labelled("Default destination")}`);
    expect(await page.evaluate<boolean>(isAtTop)).toBe(true);
    await goBack(page);
    await page.until(`scrollY === 2_000 && !!document.querySelector("li[data-index='40'] a")`);
    expect(await page.evaluate<string>("document.activeElement.id")).toBe("main");
  }
  await page.evaluate(`document.querySelector("li[data-index='40'] a").click()`);
  await page.until(`!!${labelled("Default destination")}`);
  await page.evaluate(
    `[...document.querySelectorAll("nav.tabs a")].find((tab) => tab.innerText === "Settings").focus()`,
  );
  await page.press("Enter");
  await page.until(`!!${labelled("Notes")}`);
  expect(await page.evaluate<string>("document.activeElement.innerText")).toBe("Settings");
  await page.evaluate(`document.querySelector("nav.side a[href$='/domains']").focus()`);
  await page.press("Enter");
  await page.until(`document.title.startsWith("Domains")`);
  expect(await page.evaluate<boolean>(isAtTop)).toBe(true);
  expect(page.complaints).toEqual([]);
});

test("the way back from a link leads to the list as it was filtered", async () => {
  const ada = await service.register();
  await service.createLink(ada, { defaultUrl: "https://example.com/", tags: ["spring"] });
  await service.createLink(ada, { defaultUrl: "https://example.com/" });
  const page = await openSignedInPage(browser, service, ada);
  await page.open(`${url}/app/o/${await slugOf(ada)}/links?tag=spring&sort=clicks`);
  await page.until(rows(1));
  await page.evaluate(`document.querySelector(".list-row a").click()`);
  await page.until(`!!${labelled("Default destination")}`);
  await page.evaluate(`document.querySelector("main a[href*='/links?'], main a[href$='/links']").click()`);
  await page.until(rows(1));
  expect(await page.evaluate<string>("location.search")).toBe("?tag=spring&sort=clicks");
  // The side bar leads to the whole list.
  await page.evaluate(`document.querySelector("nav.side a[href$='/links']").click()`);
  await page.until(rows(2));
});

test("with forced colors, what is chosen or current is still told apart", async () => {
  const ada = await service.register();
  for (const title of ["Spring", "Summer"])
    await service.createLink(ada, { defaultUrl: "https://shop.example.com/", title });
  const page = await openSignedInPage(browser, service, ada, { hasForcedColors: true });
  const looks = (expression: string) =>
    page.evaluate<string>(`(({ color, backgroundColor, borderBottomColor, outline }) =>
    [color, backgroundColor, borderBottomColor, outline].join())(getComputedStyle(${expression}))`);
  const first = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`;
  const expectToldApart = async (chosen: string, other: string) =>
    expect({ chosen, looks: await looks(first(chosen)) }).not.toEqual({ chosen, looks: await looks(first(other)) });

  await page.open(`${url}/app`);
  await page.until(rows(2));
  await page.press("j");
  await page.until(`!!${first(".list-row[data-current=true]")}`);
  await expectToldApart(".list-row[data-current=true]", ".list-row[data-current=false]");
  await expectToldApart(".side-link[aria-current=page]", ".side-link:not([aria-current=page])");
  await page.press("Control+k");
  await page.until(`!!${first("[role=option]")}`);
  await expectToldApart("[role=option][aria-selected=true]", "[role=option][aria-selected=false]");
  await page.press("Escape");
  await page.until(`!${first("[role=dialog]")}`);
  await page.evaluate(`${first("main [aria-haspopup=menu]")}.click()`);
  await page.until(`!!document.activeElement.closest("[role=menu]")`);
  await page.press("ArrowDown");
  await page.until(`!!${first("[role=menuitem][data-highlighted]")}`);
  await expectToldApart("[role=menuitem][data-highlighted]", "[role=menuitem]:not([data-highlighted])");
  await page.press("Escape");
  await page.until(`!${first("[role=menu]")}`);
  await page.evaluate(`${first("nav.side a[href$='/settings']")}.click()`);
  await page.until(`!!${first(".tab[aria-current=page]")}`);
  await expectToldApart(".tab[aria-current=page]", ".tab:not([aria-current=page])");
  await page.open(`${url}/app/ui`);
  await page.until(`!!${first(".segment")} && !!${first(".number-tile")}`);
  await expectToldApart(".segment[aria-pressed=true]", ".segment[aria-pressed=false]");
  await expectToldApart(".number-tile[aria-pressed=true]", ".number-tile[aria-pressed=false]");
});

describe("links", () => {
  test("are created and copied by entering a URL on the first page", async () => {
    const page = await openSignedInPage(browser, service, await service.register());
    await page.open(`${url}/app`);
    await page.until(says("first short link"));
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("links-empty");
    await page.press("c");
    await page.type("shop.example.com/a/very/long/path?with=query");
    await page.press("Enter");
    await page.until(rows(1));
    await page.until(says("copied to the clipboard"));
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    const answer = await fetch(copied, { redirect: "manual" });
    expect(answer.headers.get("location")).toBe("https://shop.example.com/a/very/long/path?with=query");
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("links");
    // The API refuses the address, and its message is shown at the field.
    await page.press("c");
    await page.type("https://user:secret@example.com/");
    await page.press("Enter");
    await page.until(`!!document.querySelector("main .fault")`);
    expect(page.complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });

  test("are created once, even if Enter is pressed twice while the page is busy", async () => {
    const ada = await service.register();
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(says("first short link"));
    await page.press("c");
    await page.type("https://shop.example.com/once");
    const first = page.hold("POST", "/links");
    // Both presses wait until the page has time for them, as on a slow phone.
    await page.evaluate(`void setTimeout(() => { for (const end = Date.now() + 500; Date.now() < end; ); })`);
    await Promise.all([page.press("Enter"), page.press("Enter")]);
    await first.sent;
    first.releaseRequest();
    await page.until(`${rows(1)} && ${says("copied to the clipboard")}`);
    expect(await linksOf(ada)).toHaveLength(1);
    expect(page.complaints).toEqual([]);
  });

  test("are copied on the organization's own host without https, which shows its branding", async () => {
    const ada = await service.register();
    const base = `http://${OWN_HOST}:${service.service.port}`;
    const domainId = await addDomain(service, ada.orgId, { hostname: OWN_HOST });
    const path = `/api/v1/organizations/${ada.orgId}`;
    await call("PATCH", path, { token: ada.token, body: { branding: { displayName: "Acme Links" } } });
    const hosting = { token: ada.token, body: { enabled: true } };
    expect((await call("PATCH", `${path}/domains/${domainId}/dashboard`, hosting)).status).toBe(200);
    const page = await browser.page({ width: 1_440, height: 900 });
    await page.open(base);
    await page.until(`!!document.querySelector("#email")`);
    await page.until(says("Acme Links"));
    await page.evaluate(`document.querySelector("#email").focus()`);
    await page.type(ada.email);
    await page.evaluate(`document.querySelector("#password").focus()`);
    await page.type(ada.password);
    await page.press("Enter");
    await page.until(says("first short link"));
    expect(await page.evaluate<boolean>("isSecureContext")).toBe(false);
    await page.press("c");
    await page.type("https://shop.example.com/spring");
    await page.press("Enter");
    await page.until(rows(1));
    await page.until(says("copied to the clipboard"));
    const [link] = await linksOf(ada);
    const other = await browser.page();
    await other.open(`${url}/app/sign-in`);
    const copied = () => other.evaluate<string>("navigator.clipboard.readText()");
    expect(await copied()).toBe(link?.shortUrl ?? "none");
    await other.evaluate(`navigator.clipboard.writeText("")`);
    // It says so only for a moment.
    const hasSaid = page.until(`!!document.querySelector(".list-row [aria-label='${en.ui.copied}']")`);
    await page.evaluate(`document.querySelector(".list-row [aria-label='${en.links.copyUrl}']").click()`);
    await hasSaid;
    expect(await copied()).toBe(link?.shortUrl ?? "none");
    // The browser reports that it ignores headers that have no effect without https.
    expect(page.complaints.filter((text) => !text.includes("Cross-Origin-Opener-Policy"))).toEqual([]);
  });

  test("a destination pasted without its scheme is completed, also with a port; another scheme is refused", async () => {
    const ada = await service.register();
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    const box = labelled("Destination to shorten");
    await page.until(`!!${box}`);
    const shorten = async (text: string) => {
      await page.evaluate(`${box}.focus(), ${box}.select()`);
      await page.type(text);
      await page.press("Enter");
    };
    const pasted = ["shop.example.com/spring", "shop.example.com:8443/spring", "localhost:3000"];
    for (const [at, text] of pasted.entries()) {
      await shorten(text);
      await page.until(`${rows(at + 1)} && ${box}.value === ""`);
    }
    await shorten("tel:110");
    await page.until(`${box}.getAttribute("aria-invalid") === "true"`);
    expect((await linksOf(ada)).map(({ defaultUrl }) => defaultUrl).toReversed()).toEqual([
      "https://shop.example.com/spring",
      "https://shop.example.com:8443/spring",
      "https://localhost:3000/",
    ]);
  });

  test("are selected and opened by keyboard; changes can be undone, and filters are in the URL", async () => {
    const ada = await service.register();
    for (const slug of ["alpha", "beta", "gamma"])
      await service.createLink(ada, {
        defaultUrl: `https://example.com/${slug}`,
        slug: `${slug}-${ada.orgId.slice(-8)}`,
        tags: [slug],
      });
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(rows(3));
    await page.press("j");
    await page.press("j");
    expect(await page.evaluate<number>(currentRow)).toBe(1);
    await page.press("x");
    await page.until(says("1 selected"));
    await page.evaluate(`${button("Add tag")}.click()`);
    await page.until(`document.activeElement === ${labelled("Tag to add")}`);
    await page.type("summer");
    await page.press("Enter");
    await page.until(`!${labelled("Tag to add")} && ${says("summer")}`);
    await page.evaluate(`${button("Pause")}.click()`);
    await page.until(says("1 link changed"));
    await page.until(`document.querySelectorAll(".chip.bad").length === 1`);
    expect((await linksOf(ada)).map(({ isActive }) => isActive)).toEqual([true, false, true]);

    await chooseFromMenu(page, `^="Actions for beta"`, "Resume");
    await page.until(says("resumed"));
    await page.evaluate(`${button("Undo")}.click()`);
    await page.until(`document.querySelectorAll(".chip.bad").length === 1`);

    await page.press("/");
    await page.type("gamma");
    await page.until(rows(1));
    expect(await page.evaluate<string>("location.search")).toBe("?search=gamma");
    await page.evaluate(
      `[...document.querySelectorAll("button.chip")].find((each) => each.innerText === "gamma").click()`,
    );
    await page.until(`location.search.includes("tag=gamma")`);
    await page.evaluate("history.back()");
    await page.until(`location.search === "?search=gamma"`);
    await page.evaluate(`document.activeElement.blur()`);
    await page.press("j");
    await page.press("o");
    await page.until(`/links\\/[0-9a-f-]{36}/.test(location.pathname)`);
    expect(page.complaints).toEqual([]);
  });

  test("a row stays chosen when another comes before it", async () => {
    const ada = await service.register();
    for (const slug of ["alpha", "beta"])
      await service.createLink(ada, { defaultUrl: "https://example.com/", slug: `${slug}-${ada.orgId.slice(-8)}` });
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(rows(2));
    await page.press("j");
    await page.press("j");
    await page.until(`${currentRow} === 1`);
    await page.press("c");
    await page.type("https://example.com/gamma");
    await page.press("Enter");
    await page.until(rows(3));
    expect(await page.evaluate<number>(currentRow)).toBe(2);
  });

  test("keep their filters while the options of a new link are unfolded", async () => {
    const ada = await service.register();
    await service.createLink(ada, { defaultUrl: "https://example.com/", tags: ["summer"] });
    await service.createLink(ada, { defaultUrl: "https://example.com/" });
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(rows(2));
    await page.evaluate(`document.querySelector("button.chip").click()`);
    await page.until(rows(1));
    await page.evaluate(`${button(en.links.box.options)}.click()`);
    await page.until(`!!${labelled(en.links.box.slug)}`);
    expect(await page.evaluate<string>("location.search")).toBe("?tag=summer");
    await page.evaluate(`${button(en.links.box.options)}.click()`);
    await page.until(`!${labelled(en.links.box.slug)}`);
    expect(await page.evaluate<string>("location.pathname + location.search")).toEndWith("/links?tag=summer");
  });

  test("with many tags and reasons not to serve cover neither their names nor other rows", async () => {
    const ada = await service.register();
    const body = { defaultUrl: "https://example.com/", title: "Summer" };
    await service.createLink(ada, body);
    const tags = ["a-tag-that-is-as-long-as-the-name-of-a-campaign", "another-tag-of-the-length-that-campaigns-have"];
    await service.createLink(ada, { ...body, tags: [...tags, ...Array.from({ length: 12 }, (_, at) => `tag-${at}`)] });
    const closed = { isActive: false, password: "open sesame", startsAt: "2099-01-01T00:00:00Z" };
    await service.createLink(ada, { ...body, ...closed });
    const page = await openSignedInPage(browser, service, ada);
    const misplaced = `[...document.querySelectorAll("main li")].flatMap((row) => [...row.querySelectorAll(".chip")]
      .filter((chip) => chip.checkVisibility())
      .filter((chip) => chip.getBoundingClientRect().top < row.getBoundingClientRect().top
        || chip.getBoundingClientRect().bottom > row.nextElementSibling?.getBoundingClientRect().top)
      .map((chip) => chip.innerText))`;
    const names = `[...document.querySelectorAll("main li .grow a")].map((name) => name.getBoundingClientRect().width)`;
    for (const width of [390, 1_280]) {
      await page.look({ width, height: 800 });
      await page.open(`${url}/app`);
      await page.until(`${rows(3)} && ${says(en.links.blockers.password_required)}`);
      await page.until(`${misplaced}.length === 0`);
      expect(Math.min(...(await page.evaluate<number[]>(names)))).toBeGreaterThan(90);
    }
  });

  test("are no longer selected once they are deleted", async () => {
    const ada = await service.register();
    for (const slug of ["alpha", "beta"])
      await service.createLink(ada, { defaultUrl: "https://example.com/", slug: `${slug}-${ada.orgId.slice(-8)}` });
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(rows(2));
    for (const key of "jxjx") await page.press(key);
    await page.until(says("2 selected"));
    await chooseFromMenu(page, `^="Actions for beta"`, en.ui.delete);
    await page.until(`!!document.querySelector("[role=alertdialog] .danger, [role=dialog]:not(.toast) .danger")`);
    await page.evaluate(`${lastButton(en.ui.delete)}.click()`);
    await page.until(rows(1));
    await page.until(says("1 selected"));
  });

  test("are found in the palette; ? lists the keyboard shortcuts, and Escape closes them", async () => {
    const ada = await service.register();
    await service.createLink(ada, { defaultUrl: "https://example.com/", title: "Autumn catalogue" });
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(rows(1));
    await page.press("?");
    await page.until(says("Previous row"));
    expect(await page.faults()).toEqual([]);
    await page.press("Escape");
    await page.until(`!document.querySelector("[role=dialog]")`);
    await page.press("Control+k");
    await page.until(`document.activeElement.role === "combobox"`);
    await page.type("autumn");
    await page.until(`document.querySelectorAll("[role=option]").length === 1`);
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("palette");
    await page.press("Enter");
    await page.until(`/links\\/[0-9a-f-]{36}/.test(location.pathname)`);
    expect(page.complaints).toEqual([]);
  });

  test("are found in the archive by the list's search, by the palette, and if no others are left", async () => {
    const ada = await service.register();
    const links = `/api/v1/organizations/${ada.orgId}/links`;
    for (const title of ["Autumn catalogue", "Autumn sale"]) {
      const link = await service.createLink(ada, { defaultUrl: "https://example.com/", title });
      await call("PATCH", `${links}/${link._id}`, { ...ada, body: { isArchived: true } });
    }
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(`${says(en.links.allArchived)} && ${says("In the archive: 2 links")}`);
    expect(await page.faults()).toEqual([]);
    await service.createLink(ada, { defaultUrl: "https://example.com/", title: "Autumn leaves" });
    await page.open(`${url}/app/o/${await slugOf(ada)}/links?search=autumn`);
    await page.until(`${rows(1)} && ${says("In the archive: 2 links")}`);
    expect(await page.faults()).toEqual([]);
    await page.open(`${url}/app/o/${await slugOf(ada)}/links?search=autumn+sale`);
    await page.until(`${says(en.links.none.title)} && ${says("In the archive: 1 link")}`);
    await page.evaluate(`${button(en.links.showArchived)}.click()`);
    await page.until(`${rows(1)} && ${says("Autumn sale")}`);
    expect(await page.evaluate<boolean>(says("In the archive"))).toBe(false);

    await page.press("Control+k");
    await page.until(`document.activeElement.role === "combobox"`);
    await page.type("autumn");
    const found = `[...document.querySelectorAll("[role=option]")].map((each) => each.innerText)`;
    await page.until(`${found}.length === 3`);
    const told = await page.evaluate<string[]>(found);
    expect(told.map((each) => each.includes("Archived · Autumn"))).toEqual([false, true, true]);
    expect(page.complaints).toEqual([]);
  });

  test("are one of three screens shown on a phone, with the others in a menu", async () => {
    const page = await openSignedInPage(browser, service, await service.register(), { width: 360, height: 800 });
    await page.open(`${url}/app`);
    await page.until(says(en.links.empty.title));
    const shown = `[...document.querySelectorAll(".side-links > li")].filter((each) => each.checkVisibility())`;
    const atHand = [en.screens.links, en.screens.analytics, en.screens.live];
    expect(await page.evaluate<string[]>(`${shown}.map((each) => each.innerText)`)).toEqual([...atHand, en.ui.more]);
    await page.click(".side-links button");
    await page.until(`!!document.querySelector("[role=menu]")`);
    await page.evaluate(
      `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText === "${en.screens.settings}").click()`,
    );
    await page.until(
      `${says(en.settings.organization.branding)} && !!document.querySelector(".side-links [data-current]")`,
    );
    expect(page.complaints).toEqual([]);
  });

  test("show titles as text, never as markup, also from right to left", async () => {
    const ada = await service.register();
    const title = `<img src=x onerror="document.title='owned'"> כותרת`;
    await service.createLink(ada, { defaultUrl: "https://example.com/?<script>alert(1)</script>", title });
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(says(title));
    await page.evaluate(`Object.assign(document.documentElement, { dir: "rtl", lang: "he" })`);
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("links-rtl");
    // At 200% zoom nothing overflows horizontally.
    await page.look({ width: 720, height: 450 });
    expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await page.evaluate<string>("document.title")).toBe("Links · Waymark");
    expect(page.complaints).toEqual([]);
  });

  test("show where they lead beside a long title, whichever way it runs; a name is a heading in its own direction", async () => {
    const ada = await service.register();
    const titles = [
      "Everything about the spring collection of this year",
      "כל מה שצריך לדעת על קולקציית האביב של השנה",
    ];
    for (const title of titles) await service.createLink(ada, { defaultUrl: "https://example.com/", title });
    const bioPage = { ...ada, body: { title: titles[1] } };
    const { body } = await call<{ _id: string }>("POST", `/api/v1/organizations/${ada.orgId}/bio-pages`, bioPage);
    const page = await openSignedInPage(browser, service, ada, { width: 390, height: 800 });
    await page.open(`${url}/app`);
    await page.until(rows(2));
    const hosts = `[...document.querySelectorAll(".list-row")].map((row) => {
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const at = texts.currentNode.data.indexOf("example.com");
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + "example.com".length);
        const [text, box] = [range, texts.currentNode.parentElement].map((each) => each.getBoundingClientRect());
        return text.width > 0 && text.left >= box.left && text.right <= box.right + 0.5;
      } })`;
    expect(await page.evaluate<boolean[]>(hosts)).toEqual([true, true]);
    await page.open(`${url}/app/o/${await slugOf(ada)}/pages/${body._id}`);
    await page.until(`document.querySelector("h1")?.innerText === ${JSON.stringify(titles[1])}`);
    expect(await page.evaluate<string>(`getComputedStyle(document.querySelector("h1")).direction`)).toBe("rtl");
    expect(page.complaints).toEqual([]);
  });

  test("no long name or address makes a screen wider than a phone", async () => {
    const ada = await service.register();
    const long = "Wordwithoutspaces".repeat(5);
    const domainId = await addDomain(service, ada.orgId, { hostname: "links.acmecorporation.test", isVerified: false });
    await service.sql`update users set name = ${long} where email = ${ada.email}`;
    const create = async (path: string, body: object) => {
      const { token, orgId } = ada;
      return (await call<{ _id: string }>("POST", `/api/v1/organizations/${orgId}/${path}`, { token, body })).body._id;
    };
    const linkId = await create("links", {
      ...{ defaultUrl: `https://example.com/?id=${long}`, slug: long + ada.orgId.slice(-8) },
      rules: [{ destinationUrl: `https://example.com/${long}`, conditions: { cities: [long] } }],
    });
    const bioPageId = await create("bio-pages", { title: long });
    const appId = await create("apps", { name: long });
    const webhookId = await create("webhooks", { url: `https://example.com/${long}`, events: ["click"] });
    const changed = { token: ada.token, body: { notes: long } };
    await call("PATCH", `/api/v1/organizations/${ada.orgId}/links/${linkId}`, changed);
    const page = await openSignedInPage(browser, service, ada, { width: 360, height: 800 });
    await page.open(`${url}/app`);
    await page.until(rows(1));
    const home = await page.evaluate<string>(`location.pathname.replace("/links", "")`);
    const screens = {
      [`links/${linkId}`]: ".fact",
      [`links/${linkId}/history`]: "main td",
      [`pages/${bioPageId}`]: "main iframe",
      [`apps/${appId}`]: "main form",
      [`domains/${domainId}`]: "main dl .code",
      [`developers/webhooks/${webhookId}`]: "main h2",
    };
    for (const [screen, part] of Object.entries(screens)) {
      await page.open(`${url}${home}/${screen}`);
      await page.until(`!!document.querySelector("${part}")`);
      expect(`${screen}: ${await page.evaluate<number>("document.scrollingElement.scrollWidth")}`).toBe(
        `${screen}: 360`,
      );
    }
    expect(page.complaints).toEqual([]);
  });

  test("show their clicks of the last week and why they are not served, with one request for all", async () => {
    const cleo = await service.register();
    const defaultUrl = "https://shop.example.com/";
    const busy = await service.createLink(cleo, { defaultUrl, slug: "busy", title: "Busy", tags: ["spring"] });
    const full = await service.createLink(cleo, { defaultUrl, slug: "full", maxClicks: 1 });
    for (const link of [busy, busy, busy, full]) await service.visit(link, { "user-agent": IPHONE });
    await waitUntilDrained(service.service);
    const page = await openSignedInPage(browser, service, cleo);
    await page.open(`${service.url}/app`);
    const shown = (week: string) =>
      `!!document.querySelector('.list-row svg[aria-label="${week} in the last 7 days"]')`;
    await page.until(`${shown("3 clicks")} && ${shown("1 click")}`);
    expect(await page.evaluate<string>("document.body.innerText")).toContain("Visit limit reached");
    const requests = `performance.getEntriesByType("resource").filter(({ name }) => name.includes("/trends?")).length`;
    await page.until(`${requests} > 0`);
    expect(await page.evaluate<number>(requests)).toBe(1);
    await page.press("c");
    await page.type("https://shop.example.com/new");
    await page.press("Enter");
    await page.until(`${shown("0 clicks")} && ${requests} > 1`);
    expect(await page.evaluate<unknown>(`[${requests}, ${shown("3 clicks")}]`)).toEqual([2, true]);
    expect(await page.faults()).toEqual([]);
    await page.takeScreenshots("links-trends");
    expect(page.complaints).toEqual([]);

    const phone = await openSignedInPage(browser, service, cleo, { width: 360, height: 800 });
    await phone.open(`${service.url}/app`);
    await phone.until(rows(3));
    expect(await phone.evaluate<number>(requests)).toBe(0);
    await phone.look({ width: 1_440, height: 900 });
    await phone.until(shown("3 clicks"));
  });
});

describe("a language", () => {
  const fits = "document.documentElement.scrollWidth <= innerWidth";
  const choose = async (page: DashboardPage, account: { email: string }, item: string) =>
    chooseFromMenu(page, `*="${account.email}"`, item);

  test.each(LANGUAGES)("has room for the names of the screens on a phone: %s", async (language) => {
    const page = await openSignedInPage(browser, service, await service.register(), { width: 360, height: 800 });
    await page.cookie({ name: "waymark-language", value: language, url });
    await page.open(`${url}/app`);
    const names = `[...document.querySelectorAll(".side-links > li .one-line")].filter((each) => each.checkVisibility())`;
    await page.until(`${names}.length === 4`);
    for (const width of [360, 320]) {
      await page.look({ width, height: 800 });
      await page.until(`innerWidth === ${width}`);
      const cut = `${names}.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText)`;
      expect([width, await page.evaluate<string[]>(cut)]).toEqual([width, []]);
    }
    expect(page.complaints).toEqual([]);
  });

  test("has room on the narrowest phone for why a link does not serve", async () => {
    const ada = await service.register();
    const times = { startsAt: "2100-01-01T00:00:00Z" };
    await service.createLink(ada, { defaultUrl: "https://example.com/", password: "open sesame", ...times });
    const page = await openSignedInPage(browser, service, ada, { width: 320, height: 800 });
    const chips = `[...document.querySelectorAll(".list-row .chip .one-line")]`;
    for (const language of LANGUAGES) {
      await page.cookie({ name: "waymark-language", value: language, url });
      await page.open(`${url}/app`);
      await page.until(`${chips}.length === 2`);
      const cut = `${chips}.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText)`;
      expect([language, await page.evaluate<string[]>(cut)]).toEqual([language, []]);
      expect(await page.evaluate<boolean>(fits)).toBe(true);
    }
    expect(await page.faults()).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  test("is chosen in the account menu, for the dashboard and the sign-in page", async () => {
    const ada = await service.register();
    const link = await service.createLink(ada, { defaultUrl: "https://shop.example.com/", password: "open sesame" });
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(rows(1));
    const home = await page.evaluate<string>("location.pathname");
    await page.open(`${url}${home}?sort=clicks`);
    await page.until(rows(1));
    await choose(page, ada, "Deutsch");
    const speaks = (words: Words, text: string) => `${says(text)} && ${says(words.screens.settings)}`;
    await page.until(`document.documentElement.lang === "de" && ${rows(1)} && ${speaks(de, de.links.sorts.clicks)}`);
    expect(await page.evaluate<string>("location.pathname + location.search")).toBe(`${home}?sort=clicks`);

    await page.look({ width: 360, height: 800 });
    for (const [language, words] of [
      ["Français", fr],
      ["Deutsch", de],
    ] as const) {
      await choose(page, ada, language);
      await page.until(`document.documentElement.lang === "${words === de ? "de" : "fr"}"`);
      for (const [path, text] of [
        [home, words.links.box.shorten],
        [`${home}/${link._id}`, words.route.simulator.title],
        [home.replace("/links", "/analytics"), words.analytics.bots],
        [home.replace("/links", "/settings"), words.settings.organization.branding],
      ] as const) {
        await page.open(`${url}${path}`);
        await page.until(says(text));
        expect([path, await page.evaluate<boolean>(fits)]).toEqual([path, true]);
      }
    }
    await page.open(`${url}${home}`);
    await page.until(says(de.links.blockers.password_required));
    expect(await page.evaluate<number>(`document.querySelector(".list-row a").clientWidth`)).toBeGreaterThan(80);
    expect(await page.faults()).toEqual([]);
    // What is requested in a wide window would be refused after signing out.
    await page.until(hasAnswer("/trends?"));
    await choose(page, ada, de.shell.signOut);
    await page.until(`location.pathname === "/app/sign-in" && document.documentElement.lang === "de"`);
    expect(await page.evaluate<string>("document.querySelector('h1').innerText")).toBe(accountsDe.signIn.title);
    expect(page.complaints).toEqual([]);
  });
});

describe("a session", () => {
  test("that ended elsewhere leads to sign-in, and back to the same URL", async () => {
    const ada = await service.register();
    await service.createLink(ada, { defaultUrl: "https://example.com/" });
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(rows(1));
    await page.press("/");
    await page.type("example");
    await page.until(`location.search === "?search=example" && ${rows(1)}`);
    await call("POST", "/api/v1/auth/logout", ada);
    // In a single step, because other pending requests may also leave the page.
    const searched = `document.querySelector("input[type=search]")`;
    await page.evaluate(`${searched} && (${searched}.focus(), document.execCommand("insertText", false, ".com"))`);
    await page.until(`location.pathname === "/app/sign-in" && document.readyState === "complete"`);
    const left = await page.evaluate<string>(`new URLSearchParams(location.search).get("returnTo")`);
    expect(left).toMatch(/\/links\?search=example(?:\.com)?$/);
    for (const [id, text] of [
      ["email", ada.email],
      ["password", ada.password],
    ]) {
      await page.evaluate(`document.getElementById("${id}").focus()`);
      await page.type(text ?? "");
    }
    await page.press("Enter");
    await page.until(`location.pathname + location.search === ${JSON.stringify(left)}`);
    await page.until(rows(1));
  });

  test("that cannot reach the API keeps what is shown, says so in a line, and loses no typed text", async () => {
    const ada = await service.register();
    await service.createLink(ada, { defaultUrl: "https://example.com/kept" });
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(rows(1));
    await page.cutOff(true);
    await page.press("c");
    await page.type("https://example.com/typed");
    await page.press("Enter");
    await page.until(says("cannot be reached"));
    await page.press("Escape");
    await page.evaluate(`dispatchEvent(new Event("visibilitychange"))`);
    await page.evaluate(`document.querySelector("input[type=search]").focus()`);
    await page.type("kept");
    await page.until(says("What you see may be out of date"));
    expect(await page.evaluate<boolean>(rows(1))).toBe(true);
    expect(await page.evaluate<string>(`document.querySelector("main input.large").value`)).toBe(
      "https://example.com/typed",
    );
    await page.cutOff(false);
    await page.until(`!${says("What you see may be out of date")}`);
    await page.evaluate(`document.querySelector("main input.large").focus()`);
    await page.press("Enter");
    await page.until(says("copied to the clipboard"));
    expect(await linksOf(ada)).toHaveLength(2);
  });

  test("that cannot reach the service for a while opens a screen once it can", async () => {
    const ada = await service.register();
    await service.createLink(ada, { defaultUrl: "https://example.com/" });
    const page = await openSignedInPage(browser, service, ada);
    await page.open(`${url}/app`);
    await page.until(rows(1));
    const to = (screen: string) => page.evaluate(`document.querySelector("nav.side a[href$='/${screen}']").click()`);
    await page.cutOff(true);
    await to("domains");
    await page.until(says(en.shell.offline.text));
    expect(await page.evaluate<boolean>(says(en.ui.failed))).toBe(false);
    await to("links");
    await page.until(rows(1));
    await to("domains");
    await page.until(says(en.shell.offline.text));
    await page.evaluate(`${button(en.ui.retry)}.click()`);
    await page.until(`!!${button(en.ui.retry)}`);
    await page.cutOff(false);
    await page.until(says(en.domains.empty.title));
    expect(page.complaints.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
  });

  test("that cannot reach the API asks again only while its tab is shown, and at once when it is", async () => {
    const ada = await service.register();
    await service.createLink(ada, { defaultUrl: "https://example.com/" });
    const asked = `(() => { window.asked = 0; const ask = window.fetch;
      window.fetch = (...what) => { if (String(what[0]).endsWith("/session")) asked++; return ask(...what); }; })();`;
    const page = await openSignedInPage(browser, service, ada, { begin: asked + QUICK_INTERVALS });
    const turns = async (count: number) => {
      await page.evaluate(`(window.turns = 0, window.counting ??= setInterval(() => window.turns++, 3_000))`);
      await page.until(`window.turns > ${count}`);
    };
    const show = (isShown: boolean) =>
      page.evaluate(`(() => { for (const [name, value] of Object.entries({ hidden: ${!isShown},
          visibilityState: "${isShown ? "visible" : "hidden"}" }))
        Object.defineProperty(document, name, { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true })); })()`);
    await page.open(`${url}/app`);
    await page.until(rows(1));
    await page.cutOff(true);
    await page.press("/");
    await page.type("example");
    await page.until(says("What you see may be out of date"));
    const first = await page.evaluate<number>("asked");
    await page.until(`asked > ${first + 1}`);
    await show(false);
    await turns(1);
    const before = await page.evaluate<number>("asked");
    await turns(6);
    expect(await page.evaluate<number>("asked")).toBe(before);
    // A part that could not be loaded does not ask either.
    await page.evaluate(`document.querySelector("nav.side a[href$='/domains']").click()`);
    await page.until(says(en.shell.offline.text));
    const shown = await page.evaluate<number>("asked");
    await page.evaluate(`dispatchEvent(new Event("online"))`);
    await turns(6);
    expect(await page.evaluate<number>("asked")).toBe(shown);
    await page.cutOff(false);
    await show(true);
    await page.until(`!${says("What you see may be out of date")} && ${says(en.domains.empty.title)}`);
  });

  test("of a viewer has no controls that would be refused", async () => {
    const ada = await service.register();
    await service.createLink(ada, { defaultUrl: "https://example.com/" });
    const bob = await service.register();
    const invited = await call<Invitation>("POST", `/api/v1/organizations/${ada.orgId}/members/invite`, {
      ...ada,
      body: { email: bob.email, role: "viewer" },
    });
    const { email, password } = bob;
    const body = { email, password, inviteToken: invited.body.inviteToken };
    const signed = await call<{ token: string; organizations: { _id: string; slug: string }[] }>(
      "POST",
      "/api/v1/auth/login",
      { body },
    );
    const slug = signed.body.organizations.find(({ _id }) => _id === ada.orgId)?.slug;
    const page = await openSignedInPage(browser, service, signed.body);
    await page.open(`${url}/app/o/${slug}/links`);
    await page.until(`!!document.querySelector(".list-row a")`);
    expect(await page.evaluate<number>(`document.querySelectorAll("main input.large, .list-row input").length`)).toBe(
      0,
    );
    await page.press("j");
    await page.press("x");
    await page.until(`${currentRow} === 0`);
    expect(await page.evaluate<string>(`document.querySelector(".list-row").dataset.selected`)).toBe("false");
    expect(await page.evaluate<boolean>(`!!${button("Pause")}`)).toBe(false);
    await page.evaluate(`document.querySelector(".list-row a").click()`);
    await page.until(`!!document.querySelector("nav.tabs")`);
    await page.evaluate(
      `[...document.querySelectorAll("nav.tabs a")].find((each) => each.innerText === "Settings").click()`,
    );
    await page.until(`!!document.querySelector("fieldset:disabled")`);
    expect(await page.evaluate<boolean>(`!!${button("Save")}`)).toBe(false);
    expect(page.complaints).toEqual([]);
  });
});

/** `label` is the rest of an attribute selector for the label of the menu's button: `^="…"` or `*="…"`. */
async function chooseFromMenu(page: DashboardPage, label: string, item: string): Promise<void> {
  await page.until(`!!document.querySelector('button[aria-label${label}]')`);
  await page.evaluate(`document.querySelector('button[aria-label${label}]').click()`);
  await page.until(`!!document.querySelector("[role=menuitem]")`);
  await page.evaluate(
    `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.innerText === "${item}").click()`,
  );
}
