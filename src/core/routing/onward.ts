/** Where visitors go who are turned away, in place of an error page. */
import type { LinkDefinition } from "./link";

/** `status` is what they would get; null: they get it. */
export function onwardUrl(status: number, link: Pick<LinkDefinition, "expiredUrl">): string | null {
  return status === 410 ? link.expiredUrl : null;
}
