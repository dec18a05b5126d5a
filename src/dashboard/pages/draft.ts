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
  kind: "url" | "link" | "heading";
  url: string;
  linkId: string;
  icon: string;
  imageUrl: string;
  display: Exclude<Schemas["BioItem"]["display"], "heading" | undefined>;
  isActive: boolean;
}

export interface PageDraft {
  title: string;
  bio: string;
  isActive: boolean;
  theme: Theme;
  items: readonly ItemDraft[];
}

export const BLANK_THEME: Theme = {
  ...{ preset: "light", font: "sans", buttonStyle: "fill", buttonShape: "rounded" },
  ...{ background: "", backgroundEnd: "", text: "", accent: "", avatarUrl: "", coverUrl: "" },
};

export const BLANK_ITEM: Omit<ItemDraft, "id"> = {
  ...{ title: "", kind: "url", url: "", linkId: "", icon: "", imageUrl: "", display: "button", isActive: true },
};

export const pageDraftOf = ({ title, bio = "", isActive, theme, links }: BioPage): PageDraft => ({
  ...{ title, bio, isActive },
  theme: { ...BLANK_THEME, ...theme },
  items: links.map(({ display = "button", ...item }) => ({
    ...BLANK_ITEM,
    ...item,
    id: item.key,
    ...(display === "heading" ? { kind: "heading" } : { kind: item.linkId === undefined ? "url" : "link", display }),
  })),
});

export const themeOf = (theme: Theme): Schemas["BioTheme"] =>
  Object.fromEntries(
    Object.entries(theme)
      .map(([name, value]) => [name, value.trim()])
      .filter(([, value]) => value !== ""),
  );

/** How an item looks. A heading keeps what it had as a button, but does not show it. */
export const shownItemOf = ({ title, kind, icon, imageUrl, display }: ItemDraft) =>
  kind === "heading"
    ? { title: title.trim(), display: kind }
    : {
        ...{ title: title.trim(), display },
        ...(icon.trim() && { icon: icon.trim() }),
        ...(imageUrl.trim() && { imageUrl: imageUrl.trim() }),
      };

function itemOf(item: ItemDraft): Schemas["BioItemInput"] {
  const { key, kind, url, linkId, isActive } = item;
  return {
    ...(key !== undefined && { key }),
    ...shownItemOf(item),
    isActive,
    ...(kind === "url" && url.trim() && { url: url.trim() }),
    ...(kind === "link" && linkId && { linkId }),
  };
}

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
