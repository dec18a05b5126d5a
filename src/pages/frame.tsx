/** Renders the frame of every page of the service: one card, readable on a phone, its style under the nonce, and no script. */
import type { Children } from "@kitajs/html";
import { SHADES } from "@/core/pages/page-palette";
import { STYLE, themeColours } from "./style";

export interface FrameProps {
  title: string;
  language: string;
  dir: "ltr" | "rtl";
  nonce: string;
  /** Added to the common style. */
  style?: string;
  /** The theme colors of the browser window, by shade. */
  colours?: ReturnType<typeof themeColours>;
  /** Added to the head. */
  head?: Children;
  header?: Children;
  footer?: Children;
  /** Sets the class of `main`. */
  class?: string;
  children: Children;
}

export const Frame = ({
  title,
  language,
  dir,
  nonce,
  style = "",
  colours = themeColours(),
  head,
  header,
  footer,
  children,
  ...main
}: FrameProps) => (
  <html lang={language} dir={dir}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      {SHADES.map((shade) => (
        <meta name="theme-color" content={colours[shade]} {...{ media: `(prefers-color-scheme:${shade})` }} />
      ))}
      <title safe>{title}</title>
      <style nonce={nonce}>{STYLE + style}</style>
      {head ?? ""}
    </head>
    <body>
      {header ?? ""}
      <main class={main.class}>{children}</main>
      {footer ?? ""}
    </body>
  </html>
);

/**
 * The markup's own escaping leaves `&` in attributes, so that `&lt;` would be read as `<`. It also leaves `<` and `>`,
 * which browsers treat as text there, unlike some programs that search for tags.
 */
export const attribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
