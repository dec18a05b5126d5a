/** How long tokens are accepted, counted from the minute of the click. */
import { DAY_MS } from "@/core/time/time-range";

export const MATCH_VALID_MS = 7 * DAY_MS;
export const ATTRIBUTION_VALID_MS = 90 * DAY_MS;
