import type { PageDraft } from "./draft";

const THEME = ["preset", "font", "buttonStyle", "buttonShape", "background", "text", "accent", "avatarUrl", "coverUrl"];
const ITEM = ["title", "url", "linkId", "icon", "display"];

/** Fields at which the API's refusals stand. */
export const shownFields = ({ items }: PageDraft): string[] => [
  ...["title", "bio", ...THEME.map((name) => `theme.${name}`)],
  ...items.flatMap((_, at) => ITEM.map((name) => `links.${at}.${name}`)),
];
