/** The reference page. Everything it loads is the service's own; without JavaScript it still leads to the document. */
import { TITLE } from "../document/vocabulary";

const Page = ({ version }: { version: string }) => {
  const asset = (name: string) => `/docs/assets/${version}/${name}`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="Reference of the Waymark API: links, routing, analytics, webhooks." />
        <title>{TITLE}</title>
        <link rel="icon" href={asset("icon.svg")} type="image/svg+xml" />
        <link rel="stylesheet" href={asset("swagger-ui.css")} />
        <link rel="stylesheet" href={asset("docs.css")} />
        <script src={asset("docs.js")} />
        <script src={asset("swagger-ui.js")} defer />
      </head>
      <body>
        <header class="docs-bar">
          <a class="docs-name" href="/docs">
            <img src={asset("icon.svg")} alt="" width="24" height="24" />
            {TITLE}
          </a>
          <nav aria-label="The same, for machines">
            <a class="docs-link" href="/openapi.json">
              OpenAPI document
            </a>
            <a class="docs-link" href="/docs/postman.json" download="waymark.postman_collection.json">
              Postman collection
            </a>
          </nav>
        </header>
        <main id="reference">
          <noscript>
            <p class="docs-plain">
              This reference is drawn by JavaScript. The whole of it stands in the{" "}
              <a class="docs-link" href="/openapi.json">
                OpenAPI document
              </a>
              .
            </p>
          </noscript>
        </main>
      </body>
    </html>
  );
};

export const page = (version: string): string => `<!doctype html>${<Page version={version} />}`;

/** Nothing inline, nothing of another host; requests to try go to the API's own origin. */
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
