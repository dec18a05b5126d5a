/** What pages that lead to an app show of it, and of what it will open. */
import { pageIconOf, Tile } from "@/pages/brand-header";
import type { AppBranding } from "../app-branding";
import type { PageTheme } from "../theme";
import { attribute } from "./layout";

/** What the app will open, as the link's own social settings show it. */
export interface AwaitedContent {
  title: string | null;
  imageUrl: string | null;
}

export const APP_STYLE = `
.app{display:flex;justify-content:center;margin-bottom:1rem}
.app img,.app .tile{width:5.5rem;height:5.5rem;border-radius:1.25rem;box-shadow:0 0 0 1px #7f7f7f33,0 8px 24px -8px #10182847}
.app img{object-fit:cover}.app .tile{font-size:2.5rem}
.line{margin-bottom:.75rem;color:var(--ink)}.line+p{margin-top:0}
.app~.button{margin-top:.5rem}
main:has(.awaited){padding-top:0;overflow:hidden}
.awaited{display:block;width:calc(100% + 3rem);height:auto;margin:0 -1.5rem 1.5rem;aspect-ratio:40/21;object-fit:cover;
background:var(--tint)}
.by{display:flex;align-items:center;gap:.75rem;margin:1.25rem 0 1rem;text-align:start;line-height:1.35}
.by img,.by .tile{flex:none;width:3.5rem;height:3.5rem;border-radius:.875rem;box-shadow:0 0 0 1px #7f7f7f33}
.by img{object-fit:cover}.by .tile{font-size:1.5rem}.by b{display:block;font-size:1.0625rem}.by div span{color:var(--soft)}
@media (min-width:30rem){.awaited{width:calc(100% + 5rem);margin:0 -2.5rem 1.5rem}}`;

interface HeadProps {
  face: AppBranding | null;
  brand: PageTheme["brand"];
  awaited: AwaitedContent | null;
  /** The heading of a page that has nothing to show of the app or of what it opens. */
  title: string;
}

/**
 * What the app will open, if the link says how that looks, and the app's icon, name and line. An app without a name
 * goes by its organization's name and logo.
 */
export function AppHead({ face, brand, awaited, title }: HeadProps) {
  const app = isKnown(face, brand) ? shownFace(face, brand) : null;
  return (
    <>
      {awaited?.imageUrl ? (
        <img class="awaited" src={attribute(awaited.imageUrl)} alt="" width="640" height="336" />
      ) : (
        ""
      )}
      {awaited?.title ? (
        <>
          <Heading text={awaited.title} />
          {app ? <AppBeside {...app} /> : ""}
        </>
      ) : app ? (
        <AppAbove {...app} />
      ) : (
        <Heading text={title} />
      )}
    </>
  );
}

interface ShownApp extends Pick<AppBranding, "subtitle" | "iconUrl"> {
  name: string;
}

const Heading = ({ text }: { text: string }) => (
  <h1 dir="auto" safe>
    {text}
  </h1>
);

/** As a store shows an app. */
const AppAbove = ({ name, subtitle, iconUrl }: ShownApp) => (
  <>
    <div class="app">
      <Icon {...{ name, iconUrl }} side="88" />
    </div>
    <Heading text={name} />
    {subtitle ? (
      <p class="line" dir="auto" safe>
        {subtitle}
      </p>
    ) : (
      ""
    )}
  </>
);

const AppBeside = ({ name, subtitle, iconUrl }: ShownApp) => (
  <div class="by">
    <Icon {...{ name, iconUrl }} side="56" />
    <div>
      <b dir="auto" safe>
        {name}
      </b>
      {subtitle ? (
        <span dir="auto" safe>
          {subtitle}
        </span>
      ) : (
        ""
      )}
    </div>
  </div>
);

const Icon = ({ name, iconUrl, side }: Pick<ShownApp, "name" | "iconUrl"> & { side: string }) =>
  iconUrl ? <img src={attribute(iconUrl)} alt="" width={side} height={side} /> : <Tile name={name} />;

function shownFace({ name, subtitle, iconUrl }: AppBranding, brand: PageTheme["brand"]): ShownApp {
  if (name !== null || brand === null) return { name: name ?? "", subtitle, iconUrl };
  return { name: brand.name, subtitle, iconUrl: iconUrl ?? (brand.hasLogo ? pageIconOf(brand) : null) };
}

/** True if there is anything to show of the app. */
export const isKnown = (face: AppBranding | null, brand: PageTheme["brand"]): face is AppBranding =>
  face !== null && (face.name !== null || brand !== null);
