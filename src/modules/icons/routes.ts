/** Serves the public icons of apps, domains and organizations, and the images of links' cards. */
import { Elysia } from "elysia";
import { CARD_IMAGES_PATH, FAVICON_PATH, IconPng, PAGE_IMAGES_PATH, VISITOR_ICONS_PATH } from "@/contract/public";
import { hasCurrent } from "@/core/headers/if-none-match";
import type { Guard } from "@/http/access";
import { once } from "@/http/docs/served";
import { failures } from "@/http/document/openapi-responses";
import { notFound } from "@/http/errors";
import { READS_CACHED } from "@/http/headers/entity-tag";
import type { HostDirectory } from "@/platform/hosts/hosts";
import type { OwnHosts } from "@/platform/hosts/own-hosts";
import { ownFile } from "@/platform/own-files";
import type { CardService } from "./cards";
import type { KeptImage } from "./fetched";
import type { PageImageService } from "./page-images";
import type { IconService } from "./service";
import type { NamedType } from "./store";

/** A changed image appears after this many seconds at the latest, plus the minute that a server caches it. */
const MAX_AGE = 300;
const STALE_AGE = 86_400;

const described = (operationId: string, summary: string, description: string) => ({
  public: true as const,
  response: { 200: IconPng, ...failures(404, 503) },
  detail: { operationId, summary, description, ...READS_CACHED },
});

export const iconRoutes = (icons: IconService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/public/app-icons", tags: ["Public assets"] })
    .use(guard)
    .get(
      "/apps/:appId",
      async ({ request, params }) => answer(request, await icons.icon("app", params.appId)),
      described("getAppIcon", "Get an app's icon", "Returns the profile's `iconUrl`, or else the initial of its name."),
    )
    .get(
      "/domains/:domainId",
      async ({ request, params }) => answer(request, await icons.icon("domain", params.domainId)),
      described(
        "getDomainIcon",
        "Get a domain's icon",
        "Returns its app's icon, or else the organization's logo, or else the initial of its name.",
      ),
    )
    .get(
      "/organizations/:orgId",
      async ({ request, params }) => answer(request, await icons.icon("organization", params.orgId)),
      described(
        "getOrganizationIcon",
        "Get an organization's icon",
        "Returns its logo, or else the initial of its name.",
      ),
    );

/** The same icons at a path that pages on every host may request, as small as those pages show them. */
export const visitorIconRoutes = (icons: IconService, guard: Guard) => {
  const hidden = { public: true as const, detail: { hide: true } };
  const small = async (request: Request, owner: NamedType, id: string) => {
    const icon = await icons.small(owner, id);
    return answer(request, icon, icon.type);
  };
  return new Elysia({ prefix: VISITOR_ICONS_PATH })
    .use(guard)
    .get("/:orgId", ({ request, params }) => small(request, "organization", params.orgId), hidden)
    .get("/apps/:appId", ({ request, params }) => small(request, "app", params.appId), hidden)
    .get("/domains/:domainId", ({ request, params }) => small(request, "domain", params.domainId), hidden);
};

/** Images that the pages of links consist of. */
export const pageImageRoute = (images: PageImageService, guard: Guard) =>
  new Elysia({ prefix: PAGE_IMAGES_PATH })
    .use(guard)
    .get(
      "/:form/:linkId/:tag",
      async ({ request, params }) =>
        answer(request, await images.image(params.form, params.linkId, params.tag), "image/webp"),
      { public: true, detail: { hide: true } },
    );

export interface FaviconParts {
  hosts: HostDirectory;
  ownHosts: Pick<OwnHosts, "isOwn">;
}

/**
 * The favicon of a custom domain is its organization's icon, as a PNG, which browsers accept under this name as well;
 * the service has its own.
 */
export const faviconRoute = (icons: IconService, { hosts, ownHosts }: FaviconParts, guard: Guard) =>
  new Elysia().use(guard).get(
    FAVICON_PATH,
    async ({ request }) => {
      const name = request.headers.get("host") ?? "";
      const host = hosts.of(name);
      if (host) return answer(request, await icons.icon("organization", host.orgId));
      if (!ownHosts.isOwn(name)) throw notFound("icon");
      return answer(request, await ownIcon(), "image/svg+xml");
    },
    { public: true, detail: { hide: true } },
  );

const ownIcon = once(async (): Promise<KeptImage> => {
  const bytes = await Bun.file(ownFile("src/http/docs/static/icon.svg")).bytes();
  return { bytes, etag: `"${new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 20)}"` };
});

/** The image URL named in pages that networks make cards of. */
export const cardImageRoute = (cards: CardService, guard: Guard) =>
  new Elysia({ prefix: CARD_IMAGES_PATH })
    .use(guard)
    .get(
      "/:linkId/:tag",
      async ({ request, params }) => answer(request, await cards.image(params.linkId, params.tag), "image/jpeg"),
      { public: true, detail: { hide: true } },
    );

function answer(request: Request, { bytes, etag }: KeptImage, type = "image/png"): Response {
  const headers = { etag, "cache-control": `public, max-age=${MAX_AGE}, stale-while-revalidate=${STALE_AGE}` };
  if (hasCurrent(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers: { ...headers, "content-type": type } });
}
