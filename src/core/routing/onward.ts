/** Chooses where visitors go who are turned away, instead of getting an error page. */
import type { DomainRedirects } from "@/contract/domains";
import type { LinkDefinition } from "./link";

/**
 * Returns the URL, or null if the visitor gets the error page with `status`. For an ended link, its own `expiredUrl`
 * takes precedence over its domain's setting. `link` is null if there is none.
 */
export function onwardUrl(
  status: number,
  link: Pick<LinkDefinition, "expiredUrl"> | null,
  { notFound, expired }: DomainRedirects,
): string | null {
  if (status === 410) return link?.expiredUrl ?? expired ?? null;
  return status === 404 ? (notFound ?? null) : null;
}
