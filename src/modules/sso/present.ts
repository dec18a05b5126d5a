import type { SsoConfiguration, SsoRole } from "@/contract/accounts/sso";
import { entityTag } from "@/http/headers/entity-tag";
import type { ConfigurationRow, ConfigurationValues } from "./store";

/** The configuration of an organization that never set one. */
export const UNSET: ConfigurationValues = {
  enabled: false,
  issuer: null,
  clientId: null,
  clientSecret: null,
  allowedDomains: [],
  defaultRole: "viewer",
  enforce: false,
};

/** Returns the wire form, without unset fields. */
export const presentConfiguration = (
  row: ConfigurationValues & Partial<Pick<ConfigurationRow, "updatedAt">>,
  urls: Pick<SsoConfiguration, "callbackUrl" | "startUrl">,
): SsoConfiguration => {
  const { issuer, clientId, ...fields } = auditedSso(row);
  return {
    ...fields,
    ...urls,
    issuer: issuer ?? undefined,
    clientId: clientId ?? undefined,
    updatedAt: row.updatedAt?.toISOString(),
  };
};

/** The entity tag of everything that can be edited, including the secret. */
export const ssoTag = (row: ConfigurationValues): string =>
  entityTag({ ...auditedSso(row), clientSecret: row.clientSecret && Buffer.from(row.clientSecret).toString("base64") });

/** The fields that go into the audit log; never the secret. */
export const auditedSso = (row: ConfigurationValues) => ({
  enabled: row.enabled,
  issuer: row.issuer,
  clientId: row.clientId,
  hasClientSecret: row.clientSecret !== null,
  allowedDomains: row.allowedDomains,
  defaultRole: roleOf(row),
  enforce: row.enforce,
});

/** Only owners can make someone an owner. */
export const roleOf = ({ defaultRole }: Pick<ConfigurationValues, "defaultRole">): SsoRole =>
  defaultRole === "owner" ? "admin" : defaultRole;
