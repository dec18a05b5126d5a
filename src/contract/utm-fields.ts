import type { Utm } from "./routing";

/** Apart from `Utm`, so that the click worker need not load the schemas. */
export const UTM_FIELDS = ["source", "medium", "campaign", "term", "content"] as const satisfies readonly (keyof Utm)[];
