/** A page that is not saved, drawn for the frame beside its editor: what it shows, and what it may not do. */
import { describe, expect, test } from "bun:test";
import { personAt } from "@test/support/accounts/app-pages";
import { startTestService } from "@test/support/service";
import type { BioPage } from "@/contract/links/bio-pages";

const service = await startTestService();
const ada = await service.register();
const eve = await service.register();
const { body: saved } = await service.call<BioPage>("POST", `/api/v1/organizations/${ada.orgId}/bio-pages`, {
  token: ada.token,
  body: { slug: "acme", title: "Saved", theme: { preset: "dark" } },
});

async function signedIn({ email, password } = ada) {
  const person = personAt(service);
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

test("shows what is typed, as visitors would get it, and changes nothing", async () => {
  const { status, html } = await draw();
  expect(status).toBe(200);
  for (const text of ["Unsaved", "A few words", "Spring", "Instagram", "#ffeedd"]) expect(html).toContain(text);
  const path = `/api/v1/organizations/${ada.orgId}/bio-pages/${saved._id}`;
  expect((await service.call<BioPage>("GET", path, { token: ada.token })).body.title).toBe("Saved");
});

test("may do nothing, and is framed by the dashboard alone", async () => {
  const { headers, html } = await draw();
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

test("text of others stays text, in every place", async () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
  const { html } = await draw({
    ...{ title: evil, bio: evil, links: [{ title: evil, icon: evil.slice(0, 32), display: "icon" }, { title: evil }] },
    theme: { avatarUrl: evil, coverUrl: evil },
  });
  expect(html).not.toContain("<script");
  expect(html).not.toContain("<img src=x");
  expect(html).toContain("&lt;script&gt;alert(1)");
});

describe("is refused", () => {
  test.each([
    ["a color that breaks out of the style", { theme: { background: "red}</style><script>" } }],
    ["a font that there is not", { theme: { font: "comic" } }],
    ["an id that is none", { bioPageId: "../x" }],
    ["too many items", { links: Array.from({ length: 51 }, () => ({ title: "a" })) }],
    ["a title that is none", { title: 7 }],
  ])("400: %s", async (_, change) => expect((await draw(change)).status).toBe(400));

  test("400: what is no JSON", async () => {
    expect((await (await signedIn()).send("/app/draft-page", { draft: "{" })).status).toBe(400);
    expect((await (await signedIn()).send("/app/draft-page", {})).status).toBe(400);
  });

  test("401 without a session, 403 from elsewhere, 404 for another organization", async () => {
    const draft = JSON.stringify(DRAFT);
    const stranger = await personAt(service).send("/app/draft-page", { draft });
    const elsewhere = await draw({}, ada, { "sec-fetch-site": "cross-site" });
    const foreign = await draw({}, eve);
    expect([stranger.status, elsewhere.status, foreign.status]).toEqual([401, 403, 404]);
    for (const { html } of [stranger, elsewhere, foreign]) expect(html).not.toContain("Unsaved");
  });
});
