/** The components of the pages. */
import type { Children } from "@kitajs/html";
import { BrandHeader, pageIconOf } from "@/pages/brand-header";
import { attribute, Frame } from "@/pages/frame";
import { OWN_NAME, OWN_STYLE, OwnHeader } from "@/pages/own-header";
import { accentStyle, themeColours } from "@/pages/style";
import type { AccountTheme } from "./look";

const STYLE = `
header{justify-content:center;letter-spacing:.01em}
form{margin:0}
h1+form{margin-top:1.25rem}
.hint{margin:-.5rem 0 .9rem;font-size:.9rem}
.notice{color:var(--ink);font-weight:600}
.more{list-style:none;margin:.5rem 0 0;padding:0}
.more a{display:block;padding:.5rem 0;text-align:center}
.list{margin:0 0 1.25rem;padding-left:1.2rem}
.list li{padding:.15rem 0}
h2{font-size:1.05rem;margin:0 0 .4rem}
input[readonly]{color:var(--soft)}`;

interface PageProps {
  look: AccountTheme;
  title: string;
  head?: Children;
  children: Children;
}

export const Page = (props: PageProps) => `<!doctype html>${<Framed {...props} />}`;

const Framed = ({ look: { language, words, nonce, brand }, title, head, children }: PageProps) => (
  <Frame
    title={`${title} · ${brand?.name ?? OWN_NAME}`}
    language={language}
    dir={words.dir}
    nonce={nonce}
    style={STYLE + (brand ? "" : OWN_STYLE) + (brand?.accent ? accentStyle(brand.accent) : "")}
    colours={themeColours(brand?.accent ?? undefined)}
    head={
      <>
        {brand ? <link rel="icon" href={pageIconOf(brand)} /> : ""}
        {head ?? ""}
      </>
    }
    header={brand ? <BrandHeader brand={brand} /> : <OwnHeader />}
  >
    {children}
  </Frame>
);

export interface FieldProps {
  name: string;
  label: string;
  type?: "text" | "email" | "password";
  autocomplete: string;
  value?: string;
  /** A sentence about what is wrong with the value. */
  fault?: string;
  hint?: string;
  minlength?: number;
  maxlength: number;
  isReadonly?: boolean;
  isFocused?: boolean;
  isUncapitalized?: boolean;
  inputmode?: "email" | "text";
}

export function Field({ name, label, type = "text", value, fault, hint, isReadonly, isFocused, ...more }: FieldProps) {
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  return (
    <>
      <label for={name} safe>
        {label}
      </label>
      <input
        id={name}
        name={name}
        type={type}
        value={value === undefined || type === "password" ? undefined : attribute(value)}
        autocomplete={more.autocomplete}
        autocapitalize={type === "text" && !more.isUncapitalized ? undefined : "none"}
        inputmode={more.inputmode}
        minlength={more.minlength}
        maxlength={more.maxlength}
        readonly={isReadonly}
        autofocus={isFocused || Boolean(fault)}
        aria-invalid={fault ? "true" : undefined}
        aria-describedby={described || undefined}
        required
      />
      {hint ? (
        <p class="hint" id={`${name}-hint`} safe>
          {hint}
        </p>
      ) : (
        ""
      )}
      {fault ? (
        <p class="fault" id={`${name}-fault`} safe>
          {fault}
        </p>
      ) : (
        ""
      )}
    </>
  );
}

export const Hidden = ({ name, value }: { name: string; value: string | undefined }) =>
  value ? <input type="hidden" name={name} value={attribute(value)} /> : "";

export const Alert = ({ text }: { text: string | undefined }) =>
  text ? (
    <p role="alert" safe>
      {text}
    </p>
  ) : (
    ""
  );

export const Notice = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="notice" role="status" safe>
      {text}
    </p>
  ) : (
    ""
  );

/** Links to other pages; each is a path of the service. */
export const More = ({ links }: { links: readonly (readonly [path: string, text: string])[] }) => (
  <ul class="more">
    {links.map(([path, text]) => (
      <li>
        <a href={attribute(path)} safe>
          {text}
        </a>
      </li>
    ))}
  </ul>
);

/** Renders a heading, a sentence, and links to other pages. */
export const messagePage = (
  look: AccountTheme,
  { title, text }: { title: string; text: string },
  links: [string, string][] = [],
) =>
  Page({
    look,
    title,
    children: (
      <>
        <h1 safe>{title}</h1>
        <p safe>{text}</p>
        {links.length > 0 ? <More links={links} /> : ""}
      </>
    ),
  });
