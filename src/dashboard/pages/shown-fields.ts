import type { PageDraft } from "./draft";

const THEME = [
  ...["preset", "font", "buttonStyle", "buttonShape", "background", "backgroundEnd", "text", "accent"],
  ...["avatarUrl", "coverUrl"],
];
const ITEM = ["title", "url", "linkId", "icon", "imageUrl", "display"];

/** Paths of the fields that show the API's error messages. */
export const shownFields = ({ items }: PageDraft): string[] => [
  ...["title", "bio", ...THEME.map((name) => `theme.${name}`)],
  ...items.flatMap((_, at) => ITEM.map((name) => `links.${at}.${name}`)),
];
