import { pageIconOf, Tile } from "@/pages/brand-header";
import type { AppBranding } from "../app-branding";
import type { PageTheme } from "../theme";
import { attribute } from "./layout";

export const APP_STYLE = `
.app{display:flex;justify-content:center;margin-bottom:1rem}
.app img,.app .tile{width:5.5rem;height:5.5rem;border-radius:1.25rem;box-shadow:0 0 0 1px #7f7f7f33,0 8px 24px -8px #10182847}
.app img{object-fit:cover}.app .tile{font-size:2.5rem}
.line{margin-bottom:.75rem;color:var(--ink)}.line+p{margin-top:0}
.app~.button{margin-top:.5rem}`;

/** The app's icon and name, as a store shows them. An app without a name goes by its organization's name and logo. */
export function AppHead({ face, brand }: { face: AppBranding; brand: PageTheme["brand"] }) {
  const { name, iconUrl } = shownFace(face, brand);
  return (
    <>
      <div class="app">
        {iconUrl ? <img src={attribute(iconUrl)} alt="" width="88" height="88" /> : <Tile name={name} />}
      </div>
      <h1 dir="auto" safe>
        {name}
      </h1>
      {face.subtitle ? (
        <p class="line" dir="auto" safe>
          {face.subtitle}
        </p>
      ) : (
        ""
      )}
    </>
  );
}

function shownFace(
  { name, iconUrl }: AppBranding,
  brand: PageTheme["brand"],
): { name: string; iconUrl: string | null } {
  if (name !== null || brand === null) return { name: name ?? "", iconUrl };
  return { name: brand.name, iconUrl: iconUrl ?? (brand.hasLogo ? pageIconOf(brand) : null) };
}

/** True if there is anything to show of the app. */
export const isKnown = (face: AppBranding | null, brand: PageTheme["brand"]): face is AppBranding =>
  face !== null && (face.name !== null || brand !== null);
