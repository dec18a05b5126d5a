/**
 * Creates one of each page that a visitor may see: for an organization with every setting, for one with only a
 * display name, and for no organization. Images come from a separate site, as in practice. So do pages for which the
 * service would have to be in trouble, made by the same renderer.
 */
import sharp from "sharp";
import { BIO_ITEMS_MAX, type BioPageInput } from "@/contract/links/bio-pages";
import type { LinkInput } from "@/contract/links/links";
import { pagePalette } from "@/core/pages/page-palette";
import { refuse } from "@/edge/answers";
import type { RefusalReason } from "@/edge/refusals";
import { themeOf } from "@/edge/theme";
import { addDomain } from "../accounts/tenants";
import { IPHONE, NAVIGATION, PIXEL } from "../forms";
import { startSite } from "../outside/site";
import { type Account, CLIENT_HEADER, type TestService } from "../service";
import type { Page } from "./browser";

export const OWN_HOST = "go.northwind.test";
export const BARE_HOST = "link.plain.test";
const IN_INSTAGRAM = `${IPHONE} Instagram 330.0.3.29.109`;
const IN_FACEBOOK = `${PIXEL} [FB_IAB/FB4A;FBAV/460.0]`;

export interface VisitorPage {
  name: string;
  url: string;
  userAgent?: string;
  headers?: Record<string, string>;
  /** What the visitor has done before opening the page. */
  before?(): Promise<unknown>;
  /** What the visitor does first after the page has loaded. */
  act?(page: Page): Promise<void>;
}

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" rx="44"
fill="#0b5d4b"/><path d="M60 140V60l80 80V60" fill="none" stroke="#fff" stroke-width="20"/></svg>`;

/** Makes a JPEG that, like a photograph, no format compresses much further: a gradient with noise. */
async function photograph(width: number, height: number, [from, to]: [string, string]): Promise<Buffer> {
  const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g"
x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#g)"/><circle cx="${width * 0.7}" cy="${height * 0.4}" r="${height * 0.28}"
fill="#ffe9c2"/><path d="M0 ${height}L${width * 0.35} ${height * 0.45}L${width * 0.6} ${height * 0.8}L${width * 0.8}
${height * 0.6}L${width} ${height}Z" fill="#12332b"/></svg>`;
  const noise = await sharp({
    create: { width, height, channels: 3, background: "#808080", noise: { type: "gaussian", mean: 128, sigma: 18 } },
  })
    .png()
    .toBuffer();
  return sharp(Buffer.from(ground))
    .composite([{ input: noise, blend: "soft-light" }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

async function startImages() {
  const jpegs: Record<string, Buffer> = {
    "/card.jpg": await photograph(800, 420, ["#e8643c", "#7a2b4f"]),
    "/portrait.jpg": await photograph(600, 800, ["#3c7be8", "#0d1b4f"]),
    "/cover.jpg": await photograph(1200, 400, ["#2f9e7f", "#0b3b5d"]),
  };
  return startSite(({ url }) => {
    const jpeg = jpegs[new URL(url).pathname];
    return jpeg
      ? new Response(new Uint8Array(jpeg), { headers: { "content-type": "image/jpeg" } })
      : new Response(LOGO, { headers: { "content-type": "image/svg+xml" } });
  });
}

type Made = (body: unknown) => Promise<string>;

/** Returns a function that creates something in the account's organization and resolves to its id. */
const maker =
  ({ call }: TestService, { token, orgId }: Account, path: string): Made =>
  async (body) => {
    const answer = await call<{ _id: string }>("POST", `/api/v1/organizations/${orgId}/${path}`, { token, body });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body._id;
  };

const FORM: LinkInput["leadCapture"] = {
  enabled: true,
  title: "Get the brewing guide",
  description: "Twelve pages on grind, water and time. We send it to your inbox within a minute.",
  fields: [
    { name: "name", label: "Your name", required: true },
    { name: "email", label: "Work email", type: "email", required: true },
    { name: "company", label: "Company" },
    { name: "phone", label: "Phone", type: "tel" },
    { name: "note", label: "What do you want to know?", type: "textarea" },
  ],
  buttonText: "Send me the guide",
  consentText: "I agree that Northwind may write to me about coffee. I can withdraw at any time.",
};

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & Söhne, Wien";

/** Creates the pages of the organization with every setting. `at` returns the short URL of a slug. */
async function dressed(service: TestService, ada: Account, images: string, at: (slug: string) => string) {
  const branding = {
    displayName: "Northwind Coffee",
    logoUrl: `${images}/logo.svg`,
    accentColor: "#0b5d4b",
    supportUrl: "https://northwind.example/help",
    footerText: "Northwind Coffee Ltd, 1 Harbour Street, Bristol",
  };
  const { token, orgId } = ada;
  await service.call("PATCH", `/api/v1/organizations/${orgId}`, { token, body: { branding } });
  const domainId = await addDomain(service, orgId, { hostname: OWN_HOST });
  const redirects = { root: "https://northwind.example/" };
  await service.call("PATCH", `/api/v1/organizations/${orgId}/domains/${domainId}`, { token, body: { redirects } });
  const addApp = maker(service, ada, "apps");
  const [ios, android] = [{ appStoreId: "284882215", scheme: "northwind" }, { packageName: "com.northwind" }];
  const shown = { name: "Northwind Coffee", iconUrl: `${images}/logo.svg` };
  const appProfileId = await addApp({ ...shown, subtitle: "Order ahead, skip the queue", ios, android });
  const universal = await addApp({ ...shown, ios: { bundleId: "com.northwind", appStoreId: "284882215" } });
  const create = (slug: string, input: Partial<LinkInput> = {}) =>
    service.createLink(ada, { slug, domainId, defaultUrl: "https://northwind.example/menu/spring", ...input });
  const social = {
    title: "The spring menu: nine new coffees",
    description: "Tasted and rated.",
    imageUrl: `${images}/card.jpg`,
  };
  const cta = { enabled: true, message: "20 % off your first bag, until Sunday", buttonText: "See the offer" };
  await create("app", { appProfileId });
  await create("app-shared", { appProfileId, social });
  await create("universal", { appProfileId: universal });
  await create("locked", { password: "open sesame" });
  await create("expired", { expiresAt: "2020-01-01T00:00:00Z" });
  await create("cta", { social, ctaOverlay: { ...cta, buttonUrl: "https://northwind.example/offer" } });
  await create("overlay", { title: "Spring menu", ctaOverlay: { ...cta, mode: "overlay" } });
  await create("form", { leadCapture: FORM });
  await addUnsafe(service, create, "unsafe");
  await create("pixel", { retargetingPixels: [{ provider: "meta", id: "1234567890" }] });
  await addBioPages(maker(service, ada, "bio-pages"), domainId, images);
  return [
    { name: "hand-off", url: at("app"), userAgent: IPHONE },
    { name: "hand-off-shared", url: at("app-shared"), userAgent: IPHONE },
    { name: "in-app-shared", url: at("app-shared"), userAgent: IN_INSTAGRAM },
    { name: "in-app-scheme", url: at("app"), userAgent: IN_INSTAGRAM },
    { name: "in-app-browser", url: at("universal"), userAgent: IN_INSTAGRAM },
    { name: "in-app-android", url: at("app"), userAgent: IN_FACEBOOK },
    { name: "404-own", url: at("nothing") },
    { name: "410-own", url: at("expired") },
    { name: "403-own", url: at("unsafe") },
    probed({ name: "429-own", url: at("probed") }, "203.0.113.1"),
    { name: "password", url: at("locked") },
    { name: "password-wrong", url: `${at("locked")}?pw=wrong` },
    { name: "cta", url: at("cta") },
    { name: "cta-overlay", url: at("overlay") },
    { name: "form", url: at("form") },
    { name: "form-faults", url: at("form"), act: sendFaults },
    { name: "bio", url: at("bio") },
    { name: "bio-cover", url: at("bio-cover") },
    { name: "bio-rich", url: at("bio-rich") },
    { name: "bio-loud", url: at("bio-loud") },
    { name: "bio-full", url: at("bio-full") },
  ];
}

type Create = (slug: string, input?: Partial<LinkInput>) => Promise<{ _id: string }>;

async function addUnsafe({ sql }: TestService, create: Create, slug: string): Promise<void> {
  const { _id } = await create(slug);
  await sql`update links set safety = '{"status":"unsafe","reasons":["phishing"]}' where id = ${_id}`;
}

/** More slugs than a client may ask for in vain within a minute. */
const PROBES = 61;

/** A page for a client who has asked for many slugs that do not exist. */
const probed = (page: { name: string; url: string }, client: string): VisitorPage => {
  const headers = { [CLIENT_HEADER]: client };
  const probe = (slug: number) => fetchAt({ url: `${page.url}-${slug}`, headers });
  return { ...page, headers, before: () => Promise.all(Array.from({ length: PROBES }, (_, slug) => probe(slug))) };
};

async function sendFaults(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector("form").noValidate = true`);
  await page.click("form button");
  await page.until(`document.querySelector("[role=alert]")`);
}

const ITEMS: NonNullable<BioPageInput["links"]> = [
  { title: "The spring menu", url: "https://northwind.example/menu", icon: "shop" },
  { title: "Find a café near you", url: "https://northwind.example/cafes", icon: "map" },
  { title: "Instagram", url: "https://instagram.com/northwind", icon: "instagram" },
  { title: "Our playlist on Spotify", url: "https://open.spotify.com/playlist/1", icon: "spotify" },
  { title: "YouTube", url: "https://youtube.com/@northwind", icon: "youtube" },
  { title: "Join the Discord", url: "https://discord.gg/northwind", icon: "discord" },
  { title: "Write to us", url: "https://northwind.example/contact", icon: "mail" },
];

async function addBioPages(add: Made, domainId: string, images: string): Promise<void> {
  const common = { domainId, title: "Northwind Coffee", bio: "Roasted in Bristol since 2009.\nOpen daily, 7 to 7." };
  await add({ ...common, slug: "bio", theme: { preset: "auto" }, links: ITEMS });
  await add({
    ...common,
    slug: "bio-cover",
    title: "Amara Okafor",
    theme: {
      preset: "auto",
      accent: "#0b5d4b",
      avatarUrl: `${images}/portrait.jpg`,
      coverUrl: `${images}/cover.jpg`,
      buttonStyle: "soft",
      buttonShape: "pill",
    },
    links: [...ITEMS.map((item, at) => ({ ...item, display: at > 1 ? "icon" : "button" }))],
  });
  await add({
    ...common,
    slug: "bio-rich",
    title: "Amara Okafor",
    theme: {
      ...{ background: "#fff4e6", backgroundEnd: "#ffc9a3", accent: "#7a2b4f", buttonShape: "pill" },
      avatarUrl: `${images}/portrait.jpg`,
    },
    links: [
      ...ITEMS.slice(2, 6).map((item) => ({ ...item, display: "icon" as const })),
      { title: "New this week", display: "heading" },
      {
        title: "The spring menu",
        url: "https://northwind.example/menu",
        imageUrl: `${images}/card.jpg`,
        display: "card",
      },
      { title: "Visit us", display: "heading" },
      ...["Clifton", "Harbourside"].map((place) => ({
        title: `Northwind ${place}`,
        url: `https://northwind.example/${place}`,
        imageUrl: `${images}/cover.jpg`,
      })),
      { title: LONG, url: "https://northwind.example/long", imageUrl: `${images}/portrait.jpg` },
      { title: "Write to us", url: "https://northwind.example/contact", icon: "mail" },
    ],
  });
  const many = Array.from({ length: BIO_ITEMS_MAX }, (_, at) => ITEMS[at % ITEMS.length] ?? []);
  await add({ ...common, slug: "bio-full", theme: { buttonStyle: "outline" }, links: many });
  await add({
    ...common,
    slug: "bio-loud",
    title: LONG,
    theme: { background: "#ffd23f", accent: "#ee4266", font: "rounded", buttonStyle: "shadow", buttonShape: "square" },
    links: [...ITEMS, { title: LONG, url: "https://northwind.example/long", icon: "book" }],
  });
}

/** Creates the pages of the organization that has only a display name, and those of no organization. */
async function plain(service: TestService, bob: Account, at: (slug: string) => string) {
  const domainId = await addDomain(service, bob.orgId, { hostname: BARE_HOST });
  const create = (slug: string, input: Partial<LinkInput> = {}) =>
    service.createLink(bob, { slug, domainId, defaultUrl: "https://plain.example/", ...input });
  const branding = { displayName: LONG };
  await service.call("PATCH", `/api/v1/organizations/${bob.orgId}`, { token: bob.token, body: { branding } });
  const store = [
    { destinationUrl: "https://apps.apple.com/app/id284882215", conditions: { platform: ["ios" as const] } },
  ];
  await create("app", { rules: store });
  await create("locked", { password: "open sesame" });
  await create("cta", { ctaOverlay: { enabled: true } });
  await create("form", { leadCapture: { enabled: true } });
  await create("expired", { expiresAt: "2020-01-01T00:00:00Z" });
  await addUnsafe(service, create, "unsafe");
  await maker(service, bob, "bio-pages")({ slug: "bio", domainId, title: "عمر الخيام", links: [] });
  return [
    { name: "plain-hand-off", url: at("app"), userAgent: IPHONE },
    { name: "plain-404", url: at("nothing") },
    { name: "plain-400", url: at("a%00b") },
    { name: "plain-403", url: at("unsafe") },
    { name: "plain-410", url: at("expired") },
    probed({ name: "plain-429", url: at("probed") }, "203.0.113.2"),
    { name: "plain-password", url: at("locked"), headers: { "accept-language": "de" } },
    { name: "plain-cta", url: at("cta") },
    { name: "plain-form", url: at("form") },
    { name: "plain-bio", url: at("bio") },
    { name: "shared-404", url: `${service.url}/nothing` },
    { name: "shared-400", url: `${service.url}/a%00b` },
  ];
}

/** Refusals for which the service would have to be in trouble, or the browser to send what no page of ours sends. */
const OTHERS: readonly RefusalReason[] = ["busy", "form_too_large", "method", "unavailable"];

/** Creates the pages of other refusals, for an organization with a color and with nothing else. */
function others(): VisitorPage[] {
  const accent = pagePalette("#0b5d4b");
  const brand = { orgId: "", name: "Northwind Coffee", hasLogo: false, accent, supportUrl: null, footerText: null };
  const site = startSite((request) => {
    const reason = OTHERS.find((each) => request.url.endsWith(`/${each}`));
    return reason
      ? refuse(request, reason, { theme: themeOf(request, brand) })
      : new Response(LOGO, { headers: { "content-type": "image/svg+xml" } });
  });
  return OTHERS.map((reason) => ({ name: `refusal-${reason}`, url: `${site.url}/${reason}` }));
}

/** Creates all pages. The browser that opens them must resolve `OWN_HOST` and `BARE_HOST` to this machine. */
export async function addVisitorPages(service: TestService): Promise<VisitorPage[]> {
  const images = await startImages();
  const at = (host: string) => (slug: string) => `http://${host}:${service.service.port}/${slug}`;
  const ada = await dressed(service, await service.register(), images.url, at(OWN_HOST));
  return [...ada, ...(await plain(service, await service.register(), at(BARE_HOST))), ...others()];
}

/** Fetches a page with its own Host header directly from this machine, so that its host name need not resolve. */
export function fetchAt(
  page: Pick<VisitorPage, "url" | "userAgent" | "headers">,
  init: BunFetchRequestInit = {},
): Promise<Response> {
  const { pathname, search, host, port } = new URL(page.url);
  const agent = page.userAgent && { "user-agent": page.userAgent };
  const headers = { ...NAVIGATION, ...agent, ...page.headers, host, "accept-encoding": "gzip" };
  return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { headers, redirect: "manual", ...init });
}
