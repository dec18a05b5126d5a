/** Renders what the pages under `/docs` share. They load only files from this service. */
import type { Children } from "@kitajs/html";
import { TITLE } from "../document/vocabulary";

/** Returns the permanent path of an asset. */
export const assetPath = (version: string, name: string): string => `/docs/assets/${version}/${name}`;

export interface DocsFrameProps {
  /** Identifies the version of the assets. */
  version: string;
  title: string;
  description: string;
  /** Styles of the page in order. The frame's own follow them. */
  styles: readonly string[];
  scripts?: readonly { name: string; defer: boolean }[];
  children: Children;
}

export const DocsFrame = ({ version, title, description, styles, scripts = [], children }: DocsFrameProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="description" content={description} />
      <title safe>{title}</title>
      <link rel="icon" href={assetPath(version, "icon.svg")} type="image/svg+xml" />
      {[...styles, "docs.css"].map((name) => (
        <link rel="stylesheet" href={assetPath(version, name)} />
      ))}
      {scripts.map(({ name, defer }) => (
        <script src={assetPath(version, name)} defer={defer} />
      ))}
    </head>
    <body>
      <header class="docs-bar">
        <a class="docs-name" href="/docs">
          <img src={assetPath(version, "icon.svg")} alt="" width="24" height="24" />
          {TITLE}
        </a>
        <nav aria-label="Documentation">
          <a class="docs-link" href="/docs/guide">
            Guides
          </a>
          <a class="docs-link" href="/docs">
            Reference
          </a>
          <a class="docs-link" href="/openapi.json">
            OpenAPI
          </a>
          <a class="docs-link" href="/docs/postman.json" download="waymark.postman_collection.json">
            Postman
          </a>
        </nav>
      </header>
      {children}
    </body>
  </html>
);

/** Allows nothing inline and nothing from other hosts, except requests to the API's origin to try operations. */
export const contentSecurityPolicy = (apiOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${apiOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
