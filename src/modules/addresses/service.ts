/** Addresses, which links and bio pages share: on which domain something may stand, and under which slug. */
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { lookAlikeKey } from "@/core/look-alikes";
import { beginsWithOwnSegment } from "@/core/reserved";
import { checkSlug, makeSlug } from "@/core/slug";
import { conflict, invalid, notFound, notFoundBy } from "@/http/errors";
import { violatedConstraint } from "@/platform/db/faults";
import type { Db } from "@/platform/db/tx";
import * as store from "./store";

const MADE_SLUG_TRIES = 5;
const DOMAIN_REFERENCE = "links_domain_id_domains_id_fk";

interface GivenSlug {
  slug: string;
  key: string;
}

/** Throws 400. */
export function checkedSlug(text: string): GivenSlug {
  const checked = checkSlug(text);
  if (!checked.ok) throw invalid([`slug: ${checked.fault}`]);
  return checked;
}

/**
 * On the shared domain, and where the dashboard is served, paths of the service itself are nobody's. `slug` and `prefix` as
 * they are compared; a slug still to be made is none of them. Throws 400.
 */
export function refuseOwnPath(domain: store.DomainRow, { prefix, slug }: { prefix: string; slug: string }): void {
  const isOwnHost = domain.orgId === null || domain.dashboard.enabled === true;
  if (!isOwnHost || !beginsWithOwnSegment({ prefix, slug })) return;
  throw invalid([`${prefix === "" ? "slug" : "pathPrefix"}: this word is reserved on ${domain.hostname}`]);
}

/** The organization's own of this id, or the shared one; without an id its primary one. Throws 404, 400 when unverified. */
export async function usableDomain(db: Db, { orgId }: Tenant, id: string | null | undefined): Promise<store.DomainRow> {
  const domain = id ? isUuid(id) && (await store.findDomain(db, orgId, id)) : await store.findDefaultDomain(db, orgId);
  if (!domain) throw notFoundBy("domainId", "domain");
  if (!domain.isVerified) throw invalid(["domainId: the domain is not verified yet"]);
  return domain;
}

/**
 * The row there, at the given slug or at one made for it. Throws 409 when it is taken, or on the shared domain looks like
 * one that is, and 404 when the domain is gone.
 */
export async function insertAtFreeSlug(
  tx: Db,
  orgId: OrgId,
  domain: store.DomainRow,
  given: GivenSlug | null,
  rowAt: (slug: string) => Omit<store.LinkValues, "orgId" | "domainId" | "slug" | "slugKey" | "lookAlikeKey">,
): Promise<store.LinkRow> {
  let prefixKey = "";
  for (let tries = 1; tries <= (given ? 1 : MADE_SLUG_TRIES); tries++) {
    const { slug, key } = given ?? checkedSlug(makeSlug((length) => crypto.getRandomValues(new Uint8Array(length))));
    const row = rowAt(slug);
    prefixKey = row.prefixKey ?? "";
    const lookAlike = domain.orgId === null ? lookAlikeKey(prefixKey === "" ? key : `${prefixKey}/${key}`) : null;
    const values = { ...row, orgId, domainId: domain.id, slug, slugKey: key, lookAlikeKey: lookAlike };
    const inserted = await store.insertUnlessTaken(tx, orgId, values).catch((error: unknown) => {
      // The domain has been deleted since it was looked up.
      throw violatedConstraint(error) === DOMAIN_REFERENCE ? notFound("domain") : error;
    });
    if (inserted) return inserted;
  }
  if (!given || (await store.isTaken(tx, domain.id, prefixKey, given.key))) {
    throw conflict("This slug is taken on its domain", ["slug: is already in use"]);
  }
  throw conflict("This slug looks like one that is taken on its domain", ["slug: looks like one that is in use"]);
}
