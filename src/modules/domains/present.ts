import type { Domain } from "@/contract/domains";
import { entityTag, withTag } from "@/http/headers/entity-tag";
import type { DomainRow } from "./store";

/** Returns the wire form of a domain with its tag, without unset fields. */
export function presentDomain(row: DomainRow): Domain {
  const { verification, missingSince } = row;
  const shown = {
    _id: row.id,
    hostname: row.hostname,
    isVerified: row.isVerified,
    caseSensitive: row.isCaseSensitive,
    dashboard: { enabled: row.dashboard.enabled === true, isPrimary: row.isPrimary },
    appConfig: row.appConfig,
    redirects: row.redirects,
    verification: verification ? { ...verification, missingSince: missingSince?.toISOString() } : undefined,
    createdAt: row.createdAt.toISOString(),
    verifiedAt: row.verifiedAt?.toISOString(),
  };
  return withTag(shown, () => domainTag(row));
}

/** Covers whatever people can edit, by any of the domain's operations. */
export const domainTag = ({ id, redirects, appConfig, dashboard, isPrimary }: DomainRow): string =>
  entityTag({ id, redirects, appConfig, dashboard: dashboard.enabled === true, isPrimary });

/** Returns what audit entries record of a domain's state. */
export const auditedDomain = (row: DomainRow) => ({
  hostname: row.hostname,
  caseSensitive: row.isCaseSensitive,
  isVerified: row.isVerified,
  "dashboard.enabled": row.dashboard.enabled === true,
  "dashboard.isPrimary": row.isPrimary,
  "redirects.root": row.redirects.root,
  "redirects.notFound": row.redirects.notFound,
  "redirects.expired": row.redirects.expired,
});
