/** Tells which addresses have a link or a bio page by now. */
import type { ISql } from "postgres";
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import { addressOf } from "@/platform/link-cache/address";

export interface RequestedAddress {
  domainId: string;
  hostname: string;
  /** The path, in any spelling. */
  path: string;
}

/** Returns those of the addresses at which there is still nothing. */
export async function withoutLinks<Requested extends RequestedAddress>(
  sql: ISql,
  requested: readonly Requested[],
): Promise<Requested[]> {
  const keysOf = ({ hostname, path }: RequestedAddress, isCaseSensitive: boolean) =>
    addressOf(hostname, path, { shortDomain: hostname, isCaseSensitive: () => isCaseSensitive });
  const asked = requested.flatMap((each, place) => {
    const [folded, exact] = [keysOf(each, false), keysOf(each, true)];
    return folded && exact ? [{ place, domainId: each.domainId, folded, exact }] : [];
  });
  if (asked.length === 0) return [...requested];
  const rows = await sql<{ place: number }[]>`
    select asked.place from unnest(
      ${arrayLiteral(asked.map(({ place }) => place))}::text::int[],
      ${arrayLiteral(asked.map(({ domainId }) => domainId))}::text::uuid[],
      ${textArrayLiteral(asked.map(({ folded }) => folded.prefix))}::text::text[],
      ${textArrayLiteral(asked.map(({ folded }) => folded.slug))}::text::text[],
      ${textArrayLiteral(asked.map(({ exact }) => exact.prefix))}::text::text[],
      ${textArrayLiteral(asked.map(({ exact }) => exact.slug))}::text::text[]
    ) as asked (place, domain_id, prefix, slug, exact_prefix, exact_slug)
    join domains on domains.id = asked.domain_id
    join links on links.domain_id = asked.domain_id and deleted_at is null
      and prefix_key = case when is_case_sensitive then exact_prefix else prefix end
      and slug_key = case when is_case_sensitive then exact_slug else asked.slug end`;
  const taken = new Set(rows.map(({ place }) => place));
  return requested.filter((_, place) => !taken.has(place));
}
