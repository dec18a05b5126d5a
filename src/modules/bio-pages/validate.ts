/**
 * Checks what the schema cannot express about a bio page's fields. All faults are collected before anything is
 * written.
 */
import type { BioItem, BioItemInput, BioPageUpdate, BioTheme } from "@/contract/links/bio-pages";
import { isOwnShortUrl, storedUrl } from "@/core/routing/destination";
import { invalid } from "@/http/errors";

/** A requested item. It gets a key once it is matched with an item of the page or found to be new. */
export type AskedItem = Omit<BioItem, "key"> & { key?: string };

interface AskedFields {
  title?: string;
  bio?: string | null;
  theme?: NonNullable<BioPageUpdate["theme"]>;
  items?: AskedItem[];
  isActive?: boolean;
}

/** Returns the given fields in the form in which they are stored; null clears a field. Throws 400 with every fault. */
export function checkedPageFields({ title, bio, theme, links, isActive }: BioPageUpdate): AskedFields {
  const faults: string[] = [];
  if (title?.trim() === "") faults.push("title: must not be blank");
  const items = links?.map((item, index) => checkedItem(item, `links[${index}]`, faults));
  faults.push(...repeatedKeys(items ?? []));
  const checkedLook = theme === undefined ? undefined : checkedTheme(theme ?? {}, faults);
  if (faults.length > 0) throw invalid(faults);
  return {
    ...(title !== undefined && { title: title.trim() }),
    ...(bio !== undefined && { bio: bio?.trim() || null }),
    ...(checkedLook !== undefined && { theme: checkedLook }),
    ...(links !== undefined && { items: items ?? [] }),
    ...(isActive !== undefined && { isActive }),
  };
}

function checkedTheme(theme: BioTheme, faults: string[]): BioTheme {
  const { avatarUrl, coverUrl } = theme;
  return {
    ...theme,
    ...(avatarUrl !== undefined && { avatarUrl: storedUrl("theme.avatarUrl", avatarUrl, faults) }),
    ...(coverUrl !== undefined && { coverUrl: storedUrl("theme.coverUrl", coverUrl, faults) }),
  };
}

/** Returns what is wrong with a heading, which only divides the items. */
function headingFaults({ url, linkId, icon, imageUrl }: BioItemInput, path: string): string[] {
  return [
    ...(url || linkId ? [`${path}.url: a heading leads nowhere; remove url and linkId`] : []),
    ...(icon?.trim() ? [`${path}.icon: a heading has no icon`] : []),
    ...(imageUrl ? [`${path}.imageUrl: a heading has no image`] : []),
  ];
}

/** Throws 400 if an item leads to the page itself, which would only be shown again. */
export function refuseOwnUrl(items: readonly BioItem[], pageUrl: string, isCaseSensitive: boolean): void {
  const faults = items.flatMap(({ url }, index) =>
    url && isOwnShortUrl(url, pageUrl, isCaseSensitive)
      ? [`links[${index}].url: must not be the page's own short URL`]
      : [],
  );
  if (faults.length > 0) throw invalid(faults);
}

function checkedItem(asked: BioItemInput, path: string, faults: string[]) {
  const { key, title, url, linkId, icon, imageUrl, display, isActive } = asked;
  if (title.trim() === "") faults.push(`${path}.title: must not be blank`);
  if (display === "heading") faults.push(...headingFaults(asked, path));
  else if (!url === !linkId) faults.push(`${path}.url: expected either url or linkId`);
  if (display === "card" && !imageUrl) faults.push(`${path}.imageUrl: a card needs an image`);
  const item: AskedItem = { title: title.trim(), isActive: isActive ?? true };
  if (key) item.key = key;
  if (url) item.url = storedUrl(`${path}.url`, url, faults);
  if (linkId) item.linkId = linkId.toLowerCase();
  if (icon?.trim()) item.icon = icon.trim();
  if (imageUrl) item.imageUrl = storedUrl(`${path}.imageUrl`, imageUrl, faults);
  if (display && display !== "button") item.display = display;
  return item;
}

function repeatedKeys(items: readonly AskedItem[]): string[] {
  const seen = new Set<string>();
  return items.flatMap(({ key }, index) => {
    if (key === undefined) return [];
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated ? [`links[${index}].key: used twice`] : [];
  });
}
