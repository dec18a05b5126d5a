/** Builds the link that a creation or a change would result in, to preview what is not saved yet. Writes nothing. */
import type { LinkUpdate } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { withFaultPrefix } from "@/http/body/combined-faults";
import { invalid } from "@/http/errors";
import { addressKeys, blankRow } from "@/modules/addresses/service";
import type { SafetyChecker } from "@/modules/safety/service";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import { draftPasswordOf, draftValuesOf, type LinkValidator, refuseLoop } from "../link-validator";
import { withRuleNumbers } from "../rewrite";
import type { LinkRecord } from "../store";

/** The id of every unsaved link, so that a visitor gets the same split target in each preview. */
const UNSAVED_ID = "00000000-0000-7000-8000-000000000000";
/** Stands in for a slug that is yet to be generated. */
const UNSAVED_SLUG = "preview";

export interface UnsavedLinkOptions {
  judge: Pick<LinkValidator, "drafted" | "checkedUpdate">;
  safety: Pick<SafetyChecker, "judgeLocally">;
  shortUrlOf: ShortUrlOf;
}

export type UnsavedLink = ReturnType<typeof createUnsavedLink>;

/**
 * Returns a function that throws the 400 or 404 that creating or changing the link would throw, each fault prefixed
 * with `link.`.
 */
export function createUnsavedLink({ judge, safety, shortUrlOf }: UnsavedLinkOptions) {
  return (tenant: Tenant, input: LinkUpdate, saved: LinkRecord | undefined, now: number): Promise<LinkRecord> =>
    withFaultPrefix("link", () => (saved ? changed(tenant, input, saved) : created(tenant, input, new Date(now))));

  async function changed(tenant: Tenant, input: LinkUpdate, saved: LinkRecord): Promise<LinkRecord> {
    const fields = await judge.checkedUpdate(tenant, saved, input);
    const values = { ...draftValuesOf(fields), ...(await draftPasswordOf(fields, tenant)) };
    const link = { ...saved.link, ...withRuleNumbers(saved.link, values) };
    refuseLoop(link, shortUrlOf(saved.domain, link), saved.domain);
    return { ...saved, link: { ...link, ...safety.judgeLocally(link, saved.link) } };
  }

  async function created(tenant: Tenant, { defaultUrl, ...others }: LinkUpdate, now: Date): Promise<LinkRecord> {
    if (defaultUrl === undefined) throw invalid(["defaultUrl: required"]);
    const { domain, slug, rowAt } = await judge.drafted(tenant, { ...others, defaultUrl });
    const address = slug?.slug ?? UNSAVED_SLUG;
    const row = rowAt(address);
    const keys = addressKeys(domain, { pathPrefix: row.pathPrefix, slug: address });
    const place = { orgId: tenant.orgId, domainId: domain.id, slug: address, ...keys };
    const unset = { number: 0, createdAt: now, updatedAt: now, destinationsAskAt: null };
    return { domain, clickCount: 0, link: { ...blankRow, ...place, ...row, ...unset, version: 0, id: UNSAVED_ID } };
  }
}
