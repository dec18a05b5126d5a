/** Where visitors go who are turned away, in place of an error page. */
import type { DomainRedirects } from "@/contract/domains";
import type { LinkDefinition } from "./link";

/**
 * `status` is what they would get; null: they get it. Of a link that has ended its own word goes before its domain's; `link`
 * is null where there is none.
 */
export function onwardUrl(
  status: number,
  link: Pick<LinkDefinition, "expiredUrl"> | null,
  { notFound, expired }: DomainRedirects,
): string | null {
  if (status === 410) return link?.expiredUrl ?? expired ?? null;
  return status === 404 ? (notFound ?? null) : null;
}
