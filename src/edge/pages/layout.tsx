import type { Children } from "@kitajs/html";

const STYLE = `
:root{color-scheme:light dark;--ink:#16181d;--paper:#fbfbf9;--soft:#5a6070;--line:#c9ccd4;--accent:#1f4fd8}
@media (prefers-color-scheme:dark){:root{--ink:#f1f2f4;--paper:#14161a;--soft:#a7adba;--line:#4a505c;--accent:#8fb0ff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:24px;background:var(--paper);
color:var(--ink);font:17px/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .5rem}
p{margin:0 0 1.25rem;color:var(--soft)}
label{display:block;font-weight:600;margin-bottom:.4rem}
input,button{width:100%;font:inherit;padding:.75rem .9rem;border-radius:.6rem;border:1px solid var(--line)}
input{background:transparent;color:inherit;margin-bottom:.9rem}
button{background:var(--accent);border-color:transparent;color:var(--paper);font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[role=alert]{color:#c0182b;font-weight:600}
@media (prefers-color-scheme:dark){[role=alert]{color:#ff9aa2}}`;

/** The frame of every page a visitor sees: one column, readable on a phone, no script, its style under the nonce. */
export const Layout = ({ title, nonce, children }: { title: string; nonce: string; children: Children }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title safe>{title}</title>
      <style nonce={nonce}>{STYLE}</style>
    </head>
    <body>
      <main>{children}</main>
    </body>
  </html>
);
