/**
 * The files of the pages under `/docs`: Swagger UI from its package, and our own. They are read when one is first
 * requested.
 */
import { fileURLToPath } from "node:url";
import { ownFile } from "@/platform/own-files";
import { type Served, serve } from "./served";

const STYLE = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const PICTURE = "image/svg+xml";

const filesOf = () => ({
  "swagger-ui.css": { path: fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui.css")), type: STYLE },
  "swagger-ui.js": { path: fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js")), type: SCRIPT },
  "docs.css": { path: ownFile("src/http/docs/static/docs.css"), type: STYLE },
  "docs.js": { path: ownFile("src/http/docs/static/docs.js"), type: SCRIPT },
  "guide.css": { path: ownFile("src/http/docs/static/guide.css"), type: STYLE },
  "icon.svg": { path: ownFile("src/http/docs/static/icon.svg"), type: PICTURE },
  "routing.svg": { path: ownFile("src/http/docs/guide/routing.svg"), type: PICTURE },
  "install.svg": { path: ownFile("src/http/docs/guide/install.svg"), type: PICTURE },
  "pages.svg": { path: ownFile("src/http/docs/guide/pages.svg"), type: PICTURE },
  "dashboard.png": { path: ownFile("src/http/docs/guide/dashboard.png"), type: "image/png" },
  "click.svg": { path: ownFile("src/http/docs/guide/click.svg"), type: PICTURE },
});

export interface Assets {
  /** Part of the files' paths, so that browsers can cache them permanently. */
  version: string;
  files: Map<string, Served>;
}

export async function readAssets(): Promise<Assets> {
  const hash = new Bun.CryptoHasher("sha256");
  const files = new Map<string, Served>();
  for (const [name, { path, type }] of Object.entries(filesOf())) {
    const served = await serve(await Bun.file(path).bytes(), {
      "content-type": type,
      "cache-control": "public, max-age=31536000, immutable",
    });
    files.set(name, served);
    hash.update(served.tag);
  }
  return { version: hash.digest("hex").slice(0, 12), files };
}
