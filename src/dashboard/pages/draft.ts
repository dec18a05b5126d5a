/** A bio page as form fields, and the changes that they result in. An empty field means no value. */
import type { Schemas } from "../api/client";
import { isSame } from "../drafts/rebase";
import type { BioPage } from "./queries";

type Theme = Required<Schemas["BioTheme"]>;

export interface ItemDraft {
  /** Identifies the item while the page is edited, even if it is moved. */
  id: string;
  key?: string;
  title: string;
  kind: "url" | "link";
  url: string;
  linkId: string;
  icon: string;
  display: "button" | "icon";
  isActive: boolean;
}

export interface PageDraft {
  title: string;
  bio: string;
  isActive: boolean;
  theme: Theme;
  items: readonly ItemDraft[];
}

const STANDARD: Theme = {
  ...{ preset: "light", font: "sans", buttonStyle: "fill", buttonShape: "rounded" },
  ...{ background: "", text: "", accent: "", avatarUrl: "", coverUrl: "" },
};

export const BLANK_ITEM: Omit<ItemDraft, "id"> = {
  ...{ title: "", kind: "url", url: "", linkId: "", icon: "", display: "button", isActive: true },
};

export const pageDraftOf = ({ title, bio = "", isActive, theme, links }: BioPage): PageDraft => ({
  ...{ title, bio, isActive },
  theme: { ...STANDARD, ...theme },
  items: links.map((item) => ({
    ...BLANK_ITEM,
    ...item,
    id: item.key,
    kind: item.linkId === undefined ? "url" : "link",
  })),
});

export const themeOf = (theme: Theme): Schemas["BioTheme"] =>
  Object.fromEntries(
    Object.entries(theme)
      .map(([name, value]) => [name, value.trim()])
      .filter(([, value]) => value !== ""),
  );

const itemOf = ({ key, title, kind, url, linkId, icon, display, isActive }: ItemDraft): Schemas["BioItemInput"] => ({
  ...(key !== undefined && { key }),
  ...{ title: title.trim(), display, isActive },
  ...(kind === "url" ? url.trim() && { url: url.trim() } : linkId && { linkId }),
  ...(icon.trim() && { icon: icon.trim() }),
});

/** Returns only what differs. Theme and items are replaced as a whole. */
export function pageChangesOf(saved: PageDraft, draft: PageDraft): Schemas["BioPageUpdate"] {
  const [was, is] = [bodyOf(saved), bodyOf(draft)];
  return {
    ...(is.title !== was.title && { title: is.title }),
    ...(is.bio !== was.bio && { bio: is.bio || null }),
    ...(is.isActive !== was.isActive && { isActive: is.isActive }),
    ...(!isSame(is.theme, was.theme) && { theme: is.theme }),
    ...(!isSame(is.links, was.links) && { links: is.links }),
  };
}

const bodyOf = ({ title, bio, isActive, theme, items }: PageDraft) => ({
  ...{ title: title.trim(), bio: bio.trim(), isActive, theme: themeOf(theme), links: items.map(itemOf) },
});
