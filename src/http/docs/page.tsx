/** Renders the reference page, which links to the document even without JavaScript. */
import { TITLE } from "../document/vocabulary";
import { DocsFrame } from "./frame";

const Page = ({ version }: { version: string }) => (
  <DocsFrame
    version={version}
    title={TITLE}
    description="API reference of Waymark: links, routing, analytics, webhooks."
    styles={["swagger-ui.css"]}
    scripts={[
      { name: "docs.js", defer: false },
      { name: "swagger-ui.js", defer: true },
    ]}
  >
    <main id="reference">
      <noscript>
        <p class="docs-plain">
          This reference needs JavaScript. The{" "}
          <a class="docs-link" href="/openapi.json">
            OpenAPI document
          </a>{" "}
          contains everything, and the{" "}
          <a class="docs-link" href="/docs/guide">
            guides
          </a>{" "}
          work without JavaScript.
        </p>
      </noscript>
    </main>
  </DocsFrame>
);

export const page = (version: string): string => `<!doctype html>${<Page version={version} />}`;
