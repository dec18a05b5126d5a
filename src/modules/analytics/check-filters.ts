/** Checks the values of filters. */
import { type Filters, NO_RULE_FILTER, RULE_FILTER } from "@/contract/analytics/analytics-filters";
import { isUuid, type OrgId } from "@/core/ids";
import type { Reader } from "@/figures/read/scope";
import { invalid, notFoundInField } from "@/http/errors";
import { textArrayLiteral } from "@/platform/db/array-literals";

/** Throws 404 for a link or domain that is not available to the organization, 400 for an invalid rule. */
export async function checkFilters(sql: Reader, orgId: OrgId, { linkId, domainId, rule = [] }: Filters): Promise<void> {
  if (!rule.every((place) => RULE_FILTER.test(place))) throw invalid([`rule: ${NO_RULE_FILTER}`]);
  if (linkId)
    await checkAll(
      linkId,
      "link",
      (ids) => sql`select id from links where org_id = ${orgId} and id = any(${ids}::text::uuid[])`,
    );
  if (domainId) {
    await checkAll(
      domainId,
      "domain",
      (ids) => sql`
      select id from domains where (org_id = ${orgId} or org_id is null) and id = any(${ids}::text::uuid[])`,
    );
  }
}

async function checkAll(
  ids: readonly string[],
  what: "link" | "domain",
  find: (ids: string) => PromiseLike<readonly object[]>,
): Promise<void> {
  const wanted = new Set(ids.map((id) => id.toLowerCase()));
  if (![...wanted].every(isUuid)) throw notFoundInField(`${what}Id`, what);
  const found = await find(textArrayLiteral([...wanted]));
  if (found.length < wanted.size) throw notFoundInField(`${what}Id`, what);
}
