/** The files of the pages under `/docs`: Swagger UI from its package, our own beside it. Read when one is first asked for. */
import { type Served, serve } from "./served";

const STYLE = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const PICTURE = "image/svg+xml";

const filesOf = () => ({
  "swagger-ui.css": { url: import.meta.resolve("swagger-ui-dist/swagger-ui.css"), type: STYLE },
  "swagger-ui.js": { url: import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"), type: SCRIPT },
  "docs.css": { url: new URL("./static/docs.css", import.meta.url), type: STYLE },
  "docs.js": { url: new URL("./static/docs.js", import.meta.url), type: SCRIPT },
  "guide.css": { url: new URL("./static/guide.css", import.meta.url), type: STYLE },
  "icon.svg": { url: new URL("./static/icon.svg", import.meta.url), type: PICTURE },
  "routing.svg": { url: new URL("./guide/routing.svg", import.meta.url), type: PICTURE },
  "install.svg": { url: new URL("./guide/install.svg", import.meta.url), type: PICTURE },
  "click.svg": { url: new URL("./guide/click.svg", import.meta.url), type: PICTURE },
});

export interface Assets {
  /** Stands in the files' paths, so that they may be kept for good. */
  version: string;
  files: Map<string, Served>;
}

export async function readAssets(): Promise<Assets> {
  const hash = new Bun.CryptoHasher("sha256");
  const files = new Map<string, Served>();
  for (const [name, { url, type }] of Object.entries(filesOf())) {
    const served = await serve(await Bun.file(new URL(url)).bytes(), {
      "content-type": type,
      "cache-control": "public, max-age=31536000, immutable",
    });
    files.set(name, served);
    hash.update(served.tag);
  }
  return { version: hash.digest("hex").slice(0, 12), files };
}
