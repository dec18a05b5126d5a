/** A link as a creation or a change would leave it, for a preview of what is not saved yet. Nothing is written. */
import type { LinkUpdate } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { invalid } from "@/http/errors";
import { within } from "@/http/together";
import { addressKeys, blankRow } from "@/modules/addresses/service";
import type { SafetyChecker } from "@/modules/safety/service";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import { draftPasswordOf, draftValuesOf, type LinkJudge, refuseLoop } from "../judge";
import type { LinkRecord } from "../store";

/** Of every link that is not saved, so that a visitor gets the same split target in each preview. */
const UNSAVED_ID = "00000000-0000-7000-8000-000000000000";
/** Stands for a slug that is yet to be made. */
const UNSAVED_SLUG = "preview";

export interface UnsavedLinkOptions {
  judge: Pick<LinkJudge, "drafted" | "checkedUpdate">;
  safety: Pick<SafetyChecker, "judgeLocally">;
  shortUrlOf: ShortUrlOf;
}

export type UnsavedLink = ReturnType<typeof createUnsavedLink>;

/** Returns a function that throws what creating or changing the link would: 400 and 404, each fault behind `link.`. */
export function createUnsavedLink({ judge, safety, shortUrlOf }: UnsavedLinkOptions) {
  return (tenant: Tenant, input: LinkUpdate, saved: LinkRecord | undefined, now: number): Promise<LinkRecord> =>
    within("link", () => (saved ? changed(tenant, input, saved) : created(tenant, input, new Date(now))));

  async function changed(tenant: Tenant, input: LinkUpdate, saved: LinkRecord): Promise<LinkRecord> {
    const fields = await judge.checkedUpdate(tenant, saved, input);
    const link = { ...saved.link, ...draftValuesOf(fields), ...(await draftPasswordOf(fields, tenant)) };
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
