import { enLinks } from "./en/links";
import { enShell } from "./en/shell";

export const en = { ...enShell, links: enLinks };
