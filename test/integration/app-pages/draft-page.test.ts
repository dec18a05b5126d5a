/** Unsaved pages, rendered for the frame beside their editor: what they show and what they must not do. */
import { describe, expect, test } from "bun:test";
import { openAccountBrowser } from "@test/support/accounts/app-pages";
import { addMember } from "@test/support/accounts/tenants";
import { startTestService } from "@test/support/service";
import { untilShown } from "@test/support/until";
import type { BioPage } from "@/contract/links/bio-pages";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const eve = await service.register();
const { body: saved } = await service.call<BioPage>("POST", `/api/v1/organizations/${ada.orgId}/bio-pages`, {
  token: ada.token,
  body: { slug: "acme", title: "Saved", theme: { preset: "dark" } },
});

async function signedIn({ email, password } = ada) {
  const person = openAccountBrowser(service);
  await person.send("/app/sign-in", { email, password });
  return person;
}

const DRAFT = {
  ...{ orgId: ada.orgId, bioPageId: saved._id, title: "Unsaved", bio: "A few words" },
  theme: { preset: "light", background: "#ffeedd", font: "serif" },
  links: [
    { title: "Spring", icon: "shop", display: "button" },
    { title: "Instagram", icon: "instagram", display: "icon" },
  ],
};
const draw = async (change: object = {}, who = ada, headers: Record<string, string> = {}) =>
  (await signedIn(who)).send("/app/draft-page", { draft: JSON.stringify({ ...DRAFT, ...change }) }, headers);

await service.call("PATCH", `/api/v1/organizations/${ada.orgId}`, {
  ...ada,
  body: { branding: { displayName: "Acme Shoes", supportUrl: "https://help.example.com/", accentColor: "#a01060" } },
});
const link = await service.createLink(ada, {
  ...{ title: "Saved title", defaultUrl: "https://shop.example.com/spring" },
  social: { title: "Saved card" },
});
const LEAD = { title: "Get the guide", fields: [{ name: "company", label: "Your company" }], buttonText: "Send it" };
const CTA = { message: "20% off", buttonText: "See it", buttonUrl: "https://offers.example.com/" };
const CARD = { title: "Spring sale", description: "All shoes", imageUrl: "https://shop.example.com/spring.jpg" };
const drawLink = async (change: object, who = ada, headers: Record<string, string> = {}) => {
  const draft = JSON.stringify({ orgId: ada.orgId, linkId: link._id, ...change });
  return (await signedIn(who)).send("/app/draft-link-page", { draft }, headers);
};
const field = (name: string) => ({ part: "lead", leadCapture: { fields: [{ name }] } });
const EVIL = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
/** The headers that a person's browser sends when it opens an address. */
const NAVIGATION = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
  ...{ accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
};
/** Returns the page that visitors get. */
const visitedPage = () => untilShown(async () => (await service.visit(link, NAVIGATION)).text(), "Acme Shoes");
/** Returns all text of a page, including its title. */
const textsIn = (html: string): string[] =>
  html
    .replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, "")
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter(Boolean);

const DRAWN = {
  "a bio page": draw,
  "a form": () => drawLink({ part: "lead", leadCapture: LEAD }),
  "a call to action": () => drawLink({ part: "cta", ctaOverlay: CTA, social: CARD }),
  "a card": () => drawLink({ part: "social", social: CARD }),
};

test("the draft of a bio page is shown as visitors would see it, and nothing is saved", async () => {
  const { status, html } = await draw();
  expect(status).toBe(200);
  for (const text of ["Unsaved", "A few words", "Spring", "Instagram", "#ffeedd"]) expect(html).toContain(text);
  const path = `/api/v1/organizations/${ada.orgId}/bio-pages/${saved._id}`;
  expect((await service.call<BioPage>("GET", path, { token: ada.token })).body.title).toBe("Saved");
});

describe("the draft of a link", () => {
  const path = `/api/v1/organizations/${ada.orgId}/links/${link._id}`;
  const change = (body: object) => service.call<Link>("PATCH", path, { ...ada, body });

  test("shows a form as visitors will see it once saved, although it is still off", async () => {
    const { status, html } = await drawLink({ part: "lead", leadCapture: { ...LEAD, enabled: false } });
    expect(status).toBe(200);
    await change({ leadCapture: { ...LEAD, enabled: true } });
    const page = await visitedPage();
    await change({ leadCapture: null });
    expect(textsIn(html)).toEqual(textsIn(page));
    expect(html).toContain("Get the guide");
    expect(html).toContain("Acme Shoes");
  });

  test("shows a call to action as visitors will see it, with its destination as text but no working links", async () => {
    const { html } = await drawLink({ part: "cta", ctaOverlay: CTA, social: CARD });
    await change({ ctaOverlay: { ...CTA, enabled: true }, social: CARD });
    const page = await visitedPage();
    await change({ ctaOverlay: null, social: { title: "Saved card" } });
    expect(textsIn(html)).toEqual(textsIn(page));
    for (const text of ["20% off", "shop.example.com", "Spring sale"]) expect(html).toContain(text);
    const leads = [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
    expect(leads).toEqual([CTA.buttonUrl, link.defaultUrl, "https://help.example.com/"]);
    expect([...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href)).toEqual(["#", "#", "#"]);
  });

  test("shows a card with the values that link previews get", async () => {
    const { html } = await drawLink({ part: "social", social: CARD });
    await change({ social: CARD });
    const told = await (await service.visit(link, { "user-agent": "Slackbot-LinkExpanding 1.0" })).text();
    const [, image = ""] = /<img src="([^"]+)"/.exec(html) ?? [];
    await change({ social: { title: "Saved card" } });
    for (const text of [CARD.title, CARD.description]) {
      expect(told).toContain(`content="${text}"`);
      expect(html).toContain(text);
    }
    expect(html).toContain(service.host);
    // The path contains a hash of the source, so it is the same in both.
    expect(told).toContain(`/${image.split("/").slice(-2).join("/")}"`);
    expect(image).toStartWith("/");
  });

  test("shows no card without text, and the link's title on a card that has none", async () => {
    expect((await drawLink({ part: "social", social: null })).status).toBe(204);
    expect((await drawLink({ part: "social", social: { title: " " } })).status).toBe(204);
    expect((await drawLink({ part: "social", social: { description: "All shoes" } })).html).toContain("Saved title");
  });

  test("saves nothing", async () => {
    for (const drawing of Object.values(DRAWN)) expect((await drawing()).status).toBe(200);
    const { body } = await service.call<Link>("GET", path, ada);
    expect([body.leadCapture, body.ctaOverlay, body.social]).toEqual([undefined, undefined, { title: "Saved card" }]);
  });

  test("shows input as text everywhere, never as markup", async () => {
    const fields = ["text", "textarea", "checkbox"].map((type, at) => ({ name: `${EVIL}${at}`, label: EVIL, type }));
    const texts = { title: EVIL, description: EVIL, buttonText: EVIL, consentText: EVIL };
    const drawn = [
      await drawLink({ part: "lead", leadCapture: { ...texts, fields } }),
      await drawLink({ part: "cta", ctaOverlay: { message: EVIL, buttonText: EVIL }, social: { title: EVIL } }),
      await drawLink({ part: "social", social: { title: EVIL, description: EVIL } }),
    ];
    for (const { status, html } of drawn) {
      expect(status).toBe(200);
      expect(html).not.toContain("<script");
      expect(html).not.toContain("<img src=x");
      expect(html).toContain("&lt;script&gt;alert(1)");
    }
  });

  test.each([
    ["no button's URL", { part: "cta", ctaOverlay: { buttonUrl: "htt" } }, "ctaOverlay.buttonUrl: "],
    ["no image's URL", { part: "social", social: { imageUrl: "javascript:alert(1)" } }, "social.imageUrl: "],
    ["a field's name that is reserved", field("password"), "leadCapture.fields[0].name: is reserved"],
    ["a type that there is not", { part: "lead", leadCapture: { fields: [{ name: "a", type: "file" }] } }, "type: "],
    ["a part that there is not", { part: "pixels" }, "part: "],
  ])("400: %s, with the field named in the frame", async (_, change, fault) => {
    const { status, html, headers } = await drawLink(change);
    expect(status).toBe(400);
    expect(html).toContain(fault);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
  });

  test("401 without a session, 403 from another site, 404 for another organization's link", async () => {
    const lead = { part: "lead", leadCapture: LEAD };
    const draft = JSON.stringify({ orgId: ada.orgId, linkId: link._id, ...lead });
    const refused = [
      await openAccountBrowser(service).send("/app/draft-link-page", { draft }),
      await drawLink(lead, ada, { "sec-fetch-site": "cross-site" }),
      await drawLink(lead, eve),
      await drawLink({ ...lead, orgId: eve.orgId }, eve),
      await drawLink({ ...lead, linkId: saved._id }),
      await drawLink({ ...lead, linkId: "../x" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 403, 404, 404, 404, 404]);
    for (const { html } of refused) expect(html).not.toContain("Get the guide");
  });

  test("is also shown to a viewer, who may read the link", async () => {
    const viewer = await addMember(service, ada.orgId, "viewer");
    expect((await drawLink({ part: "lead", leadCapture: LEAD }, viewer)).status).toBe(200);
  });
});

test("a draft of the maximum size is drawn, in any script", async () => {
  const links = Array.from({ length: 50 }, () => ({ title: "字".repeat(120) }));
  expect((await draw({ links })).status).toBe(200);
  const fields = Array.from({ length: 20 }, (_, at) => ({ name: `${at}${"字".repeat(60)}`, label: "字".repeat(200) }));
  const description = "字".repeat(1_000);
  expect((await drawLink({ part: "lead", leadCapture: { description, fields } })).status).toBe(200);
});

test.each(Object.entries(DRAWN))("%s is sandboxed, and may be framed only by the dashboard", async (_, drawing) => {
  const { headers, html } = await drawing();
  const policy = headers.get("content-security-policy") ?? "";
  const nonce = /nonce="([^"]+)"/.exec(html)?.[1];
  expect(policy.split("; ").sort()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "img-src 'self'",
    "sandbox",
    `style-src 'nonce-${nonce}'`,
  ]);
  expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.getSetCookie()).toEqual([]);
});

test("shows input as text everywhere, never as markup", async () => {
  const { html } = await draw({
    ...{ title: EVIL, bio: EVIL, links: [{ title: EVIL, icon: EVIL.slice(0, 32), display: "icon" }, { title: EVIL }] },
    theme: { avatarUrl: EVIL, coverUrl: EVIL },
  });
  expect(html).not.toContain("<script");
  expect(html).not.toContain("<img src=x");
  expect(html).toContain("&lt;script&gt;alert(1)");
});

test("the draft of a bio page has headings and images of items that are saved, and a gradient", async () => {
  const { status, html } = await draw({
    theme: { background: "#ffffff", backgroundEnd: "#ffd9a8" },
    links: [
      { title: "New", display: "heading" },
      { title: "Spring", imageUrl: "https://shop.example.com/spring.jpg", display: "card" },
      { title: "Half", imageUrl: "htt", display: "button" },
    ],
  });
  expect(status).toBe(200);
  expect(html).toContain('<h2 dir="auto">New</h2><ul><li><a class="item tile" href="#">');
  expect(html).toContain(`<img src="/.well-known/waymark/images/tile/${saved._id}/`);
  expect(html).toContain("linear-gradient(var(--ground),#ffd9a8)");
  expect(html).not.toContain("spring.jpg");
});

describe("the draft of a bio page is refused", () => {
  test.each([
    ["a color that breaks out of the style", { theme: { background: "red}</style><script>" } }],
    ["a font that there is not", { theme: { font: "comic" } }],
    ["an id that is none", { bioPageId: "../x" }],
    ["too many items", { links: Array.from({ length: 51 }, () => ({ title: "a" })) }],
    ["a title that is none", { title: 7 }],
  ])("400: %s", async (_, change) => expect((await draw(change)).status).toBe(400));

  test("400: invalid JSON", async () => {
    expect((await (await signedIn()).send("/app/draft-page", { draft: "{" })).status).toBe(400);
    expect((await (await signedIn()).send("/app/draft-page", {})).status).toBe(400);
  });

  test("401 without a session, 403 from another site, 404 for another organization", async () => {
    const draft = JSON.stringify(DRAFT);
    const stranger = await openAccountBrowser(service).send("/app/draft-page", { draft });
    const elsewhere = await draw({}, ada, { "sec-fetch-site": "cross-site" });
    const foreign = await draw({}, eve);
    expect([stranger.status, elsewhere.status, foreign.status]).toEqual([401, 403, 404]);
    for (const { html } of [stranger, elsewhere, foreign]) expect(html).not.toContain("Unsaved");
  });
});
