/**
 * The page in which the dashboard runs. It contains only what loads the dashboard, and what a browser without
 * JavaScript shows.
 */
import { FAVICON_PATH } from "@/contract/public";
import { SHADES } from "@/core/pages/page-palette";
import { type DashboardFiles, dashboardFiles, sendFile } from "@/http/dashboard/files";
import { notFound } from "@/http/errors";
import { attribute } from "@/pages/frame";
import { themeColours } from "@/pages/style";
import type { AccountTheme } from "./look";

/** Scripts, styles and requests come from and go to this host only, and no text can become a script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const UNUSED = ["accelerometer", "camera", "geolocation", "gyroscope", "microphone", "payment", "usb"];

export interface Shown {
  /** HTML for a browser without JavaScript. */
  withoutScript: string;
  /** The page's own path and query, for a link that reloads it. */
  address: string;
}

export function answerDashboard(look: AccountTheme, files: DashboardFiles, shown: Shown): Response {
  return new Response(page(look, files, shown), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-language": look.language,
      "cache-control": "no-store",
      "content-security-policy": POLICY,
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": UNUSED.map((name) => `${name}=()`).join(", "),
      "referrer-policy": "same-origin",
      "x-robots-tag": "noindex",
      vary: "Accept-Language, Cookie",
    },
  });
}

/** Returns a file of the dashboard. Throws 404 for a file of another version. */
export async function answerAsset(name: string, request: Request): Promise<Response> {
  const answer = sendFile(await dashboardFiles(), name, request);
  if (!answer) throw notFound("file");
  return answer;
}

const page = (
  { language, words }: AccountTheme,
  { script, styles, words: chunks }: DashboardFiles,
  { withoutScript, address }: Shown,
): string =>
  `<!doctype html>${(
    <html lang={language} dir={words.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        {SHADES.map((shade) => (
          <meta name="theme-color" content={themeColours()[shade]} {...{ media: `(prefers-color-scheme:${shade})` }} />
        ))}
        <title>Waymark</title>
        <link rel="icon" href={FAVICON_PATH} />
        {styles.map((path) => (
          <link rel="stylesheet" href={path} />
        ))}
        <link rel="modulepreload" href={chunks.get(language)} />
        <script type="module" src={script}></script>
      </head>
      <body>
        {/* Shown if the script does not load: a server of another version has no file of this name. */}
        <div id="app">
          <p class="unloaded">
            <span safe>{words.unloaded.text}</span>{" "}
            <a href={attribute(address)} safe>
              {words.unloaded.again}
            </a>
          </p>
        </div>
        <noscript>{withoutScript}</noscript>
      </body>
    </html>
  )}`;
