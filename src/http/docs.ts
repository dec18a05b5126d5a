/**
 * Serves the service's documentation: `/openapi.json`, the reference at `/docs`, the guides, a Postman collection and
 * a Grafana dashboard. Each is created on first request, by code that is loaded then, and kept in memory. Their
 * number is fixed by the files of `docs`.
 */
import { type AnyElysia, Elysia } from "elysia";
import type { Guard } from "./access";
import { APP_PATH } from "./app-path";
import { readAssets } from "./docs/assets";
import { contentSecurityPolicy } from "./docs/frame";
import { answer, once, type Served, serve } from "./docs/served";
import { notFound } from "./errors";

const JSON_BRIEFLY = { "content-type": "application/json", "cache-control": "public, max-age=60" };

export interface DocumentOptions {
  baseUrl: string;
  /** The app whose routes are described. */
  app: AnyElysia;
}

export const documentRoutes = ({ baseUrl, app }: DocumentOptions, guard: Guard) => {
  const built = once(async () => (await import("./document/openapi")).buildDocument(app, baseUrl));
  const openapi = once(async () => serve(JSON.stringify((await built()).document), JSON_BRIEFLY));
  const postman = once(async () => {
    const { collectionOf } = await import("./document/postman/collection");
    return serve(JSON.stringify(collectionOf((await built()).document)), JSON_BRIEFLY);
  });
  const grafana = once(async () => {
    const { grafanaBoard } = await import("./docs/grafana");
    return serve(JSON.stringify(grafanaBoard(), null, 2), JSON_BRIEFLY);
  });
  const assets = once(readAssets);
  const html = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": contentSecurityPolicy(baseUrl),
  };
  const docs = once(async () => {
    const { page } = await import("./docs/page");
    return serve(page((await assets()).version), html);
  });
  const guides = once(async () => {
    const { guidePages } = await import("./docs/guide");
    const served = new Map<string, Served>();
    for (const [name, text] of await guidePages((await assets()).version, baseUrl))
      served.set(name, await serve(text, html));
    return served;
  });
  const guide = async (request: Request, name: string) => {
    const served = (await guides()).get(name);
    if (!served) throw notFound("guide");
    return answer(request, served);
  };
  const unlisted = { public: true, detail: { hide: true } } as const;

  return new Elysia()
    .use(guard)
    .get("/", () => Response.redirect(APP_PATH, 302), unlisted)
    .get("/openapi.json", async ({ request }) => answer(request, await openapi()), unlisted)
    .get("/docs", async ({ request }) => answer(request, await docs()), unlisted)
    .get("/docs/guide", ({ request }) => guide(request, ""), unlisted)
    .get("/docs/guide/:name", ({ request, params }) => guide(request, params.name), unlisted)
    .get("/docs/postman.json", async ({ request }) => answer(request, await postman()), unlisted)
    .get("/docs/grafana.json", async ({ request }) => answer(request, await grafana()), unlisted)
    .get(
      "/docs/assets/:version/:name",
      async ({ request, params }) => {
        const { version, files } = await assets();
        const file = files.get(params.name);
        if (!file) throw notFound("file");
        // During an update, a page of one version may request a file from a server of the other version; that
        // response must not be cached.
        return answer(request, file, params.version === version ? {} : { "cache-control": "no-store" });
      },
      unlisted,
    );
};
