/** Where a domain's visitors go without a link: at its root, instead of a 404, and instead of a 410. */
import type { Domain, DomainRedirects, DomainUpdate } from "@/contract/domains";
import { isUuid, type Tenant } from "@/core/ids";
import { comparedHostname } from "@/core/names/hostname";
import { normaliseDestination } from "@/core/routing/destination";
import { invalid, notFoundInField } from "@/http/errors";
import { type IfMatch, requireMatch } from "@/http/headers/entity-tag";
import type { SafetyChecker } from "@/modules/safety/service";
import type { Db } from "@/platform/db/tx";
import { changing, type DomainChangeOptions, existing, update } from "./changes";
import { domainTag, presentDomain } from "./present";
import * as store from "./store";

export interface DomainRedirectOptions extends DomainChangeOptions {
  safety: Pick<SafetyChecker, "judgeUrl">;
}

export function createDomainRedirects(options: DomainRedirectOptions) {
  const { db, safety } = options;
  return {
    /**
     * Sets the redirects; the domain need not be verified. Throws 400 for URLs that are unsafe or on the domain
     * itself, 404 for an unknown domain or bio page, and 412 if it was changed since the client read it.
     */
    async redirect(tenant: Tenant, id: string, input: DomainUpdate, ifMatch?: IfMatch): Promise<Domain> {
      const { redirects: given } = input;
      const { hostname } = await existing(db, tenant.orgId, id);
      const redirects = given === undefined ? undefined : checkedRedirects(given ?? {}, hostname);
      if (redirects) await refuseUnsafe(safety, redirects);
      return changing(options, tenant, id, async (tx, before, touch) => {
        requireMatch(ifMatch, domainTag(before), "domain");
        if (!redirects) return presentDomain(before);
        await requireOwnPage(tx, tenant, before, redirects);
        const after = await update(options, tx, tenant, before, "redirects", { redirects });
        if (after !== before) await touch();
        return presentDomain(after);
      });
    },
  };
}

const FIELDS = ["root", "notFound", "expired"] as const;

const urlsOf = (redirects: DomainRedirects) =>
  FIELDS.flatMap((field) => {
    const to = redirects[field];
    return typeof to === "string" ? [{ field: `redirects.${field}`, url: to }] : [];
  });

/** Returns the redirects with normalized URLs, and without those that are null. */
function checkedRedirects(given: NonNullable<DomainUpdate["redirects"]>, hostname: string): DomainRedirects {
  const faults: string[] = [];
  const redirects: DomainRedirects = {};
  for (const field of FIELDS) {
    const to = given[field];
    if (to === undefined || to === null) continue;
    if (typeof to === "object") redirects.root = { bioPageId: to.bioPageId.toLowerCase() };
    else redirects[field] = checkedUrl(`redirects.${field}`, to, hostname, faults);
  }
  if (faults.length > 0) throw invalid(faults);
  return redirects;
}

function checkedUrl(field: string, text: string, hostname: string, faults: string[]): string {
  const checked = normaliseDestination(text);
  if (!checked.ok) faults.push(`${field}: ${checked.fault}`);
  else if (comparedHostname(new URL(checked.url).host) === hostname) {
    faults.push(`${field}: must not be on the domain itself`);
  }
  return checked.ok ? checked.url : text;
}

/** Throws 400. */
async function refuseUnsafe(safety: DomainRedirectOptions["safety"], redirects: DomainRedirects): Promise<void> {
  const judged = urlsOf(redirects).map(async ({ field, url }) => {
    const { status, reasons } = await safety.judgeUrl(url);
    return status === "unsafe" ? [`${field}: is unsafe: ${reasons.join("; ")}`] : [];
  });
  const faults = (await Promise.all(judged)).flat();
  if (faults.length > 0) throw invalid(faults);
}

/** Throws 404, and 400 for a page on another domain. */
async function requireOwnPage(
  tx: Db,
  { orgId }: Tenant,
  { id }: store.DomainRow,
  { root }: DomainRedirects,
): Promise<void> {
  if (typeof root !== "object") return;
  const field = "redirects.root.bioPageId";
  const domainId = isUuid(root.bioPageId) ? await store.domainOfBioPage(tx, orgId, root.bioPageId) : undefined;
  if (!domainId) throw notFoundInField(field, "bio page");
  if (domainId !== id) throw invalid([`${field}: the page is on another domain`]);
}
