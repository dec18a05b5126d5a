/**
 * The guides at `/docs/guide/…`: the Markdown files in `guide`, rendered when the first one is requested. If a
 * paragraph consists only of a link to a file of `guide/examples`, the page shows that file. The compiler checks the
 * examples in TypeScript. The files name the service as it runs on a developer's machine, and the pages as it runs
 * here, so that commands can be copied from them.
 */
import { ownFile } from "@/platform/own-files";
import { assetPath, DocsFrame } from "./frame";

/** In reading order. */
export const GUIDES = [
  "quick-start",
  "dashboard",
  "links",
  "routing",
  "moving",
  "pages-and-leads",
  "apps",
  "analytics",
  "webhooks",
  "domains",
  "accounts",
  "single-sign-on",
  "api",
  "operating",
  "scaling",
  "changelog",
] as const;

interface Guide {
  name: string;
  title: string;
  /** The first paragraph. */
  summary: string;
  html: string;
}

const fileOf = (path: string) => Bun.file(ownFile(`src/http/docs/guide/${path}`));

/** Returns the HTML pages by name. The empty name holds the list of all guides. */
export async function guidePages(version: string, baseUrl: string): Promise<Map<string, string>> {
  const guides = await Promise.all(GUIDES.map((name) => readGuide(name, version, baseUrl)));
  const pages = guides.map((guide, index): [string, string] => {
    const place = { guides, guide, previous: guides[index - 1], next: guides[index + 1] };
    return [guide.name, `<!doctype html>${<GuidePage version={version} {...place} />}`];
  });
  return new Map([["", `<!doctype html>${<GuideList version={version} guides={guides} />}`], ...pages]);
}

async function readGuide(name: string, version: string, baseUrl: string): Promise<Guide> {
  const markdown = atOrigin(await withExamples(await fileOf(`${name}.md`).text()), baseUrl);
  const [, title = name, summary = ""] = /^# (.+)\n\n([^\n]+(?:\n[^\n]+)*)/.exec(markdown) ?? [];
  const html = Bun.markdown.html(markdown, { headings: { ids: true }, autolinks: { url: true } });
  return { name, title, summary: summary.replaceAll("\n", " "), html: adapted(html, version) };
}

async function withExamples(markdown: string): Promise<string> {
  let text = markdown;
  for (const [link, name = "", language] of markdown.matchAll(/^\[[^\]]+\]\(examples\/([\w-]+\.(\w+))\)$/gm)) {
    text = text.replace(link, `\`\`\`${language}\n${(await fileOf(`examples/${name}`).text()).trimEnd()}\n\`\`\``);
  }
  return text;
}

/** Replaces the origin that the files name, except where a proxy asks from the same machine. */
const atOrigin = (markdown: string, baseUrl: string): string =>
  markdown.replaceAll(/http:\/\/localhost:3000(?=\/(?!internal\/))/g, () => baseUrl);

/** Points pictures to the assets. Makes wide blocks scroll on their own, also by keyboard. */
const adapted = (html: string, version: string): string =>
  html
    .replaceAll(
      /<img src="([\w-]+\.(?:svg|png))"/g,
      (_, name) => `<img class="guide-picture" src="${assetPath(version, name)}"`,
    )
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="guide-wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");

interface GuidePageProps {
  version: string;
  guides: readonly Guide[];
  guide: Guide;
  previous: Guide | undefined;
  next: Guide | undefined;
}

const GuidePage = ({ version, guides, guide, previous, next }: GuidePageProps) => (
  <DocsFrame version={version} title={`${guide.title} · Waymark`} description={guide.summary} styles={["guide.css"]}>
    <div class="guide">
      <nav class="guide-list" aria-label="Guides">
        {guides.map(({ name, title }) => (
          <a href={`/docs/guide/${name}`} aria-current={name === guide.name ? "page" : undefined} safe>
            {title}
          </a>
        ))}
      </nav>
      <main class="guide-text">
        {guide.html as "safe"}
        <nav class="guide-steps" aria-label="Next and previous guides">
          {previous && <Step to={previous} rel="prev" />}
          {next && <Step to={next} rel="next" />}
        </nav>
      </main>
    </div>
  </DocsFrame>
);

const Step = ({ to, rel }: { to: Guide; rel: "prev" | "next" }) => (
  <a href={`/docs/guide/${to.name}`} rel={rel}>
    <small>{rel === "prev" ? "Previous" : "Next"}</small>
    <span safe>{to.title}</span>
  </a>
);

const GuideList = ({ version, guides }: { version: string; guides: readonly Guide[] }) => (
  <DocsFrame
    version={version}
    title="Guides · Waymark"
    description="How to use and run Waymark, from the first link to production."
    styles={["guide.css"]}
  >
    <main class="guide-text guide-all">
      <h1>Guides</h1>
      {guides.map(({ name, title, summary }) => (
        <section>
          <h2>
            <a href={`/docs/guide/${name}`} safe>
              {title}
            </a>
          </h2>
          {Bun.markdown.html(summary) as "safe"}
        </section>
      ))}
    </main>
  </DocsFrame>
);
