import { enLink } from "./en/link";
import { enLinks } from "./en/links";
import { enRoute } from "./en/route";
import { enShell } from "./en/shell";

export const en = { ...enShell, link: enLink, links: enLinks, route: enRoute };
