/** Single sign-on as form fields, and the changes that they result in. An empty field removes its value. */
import type { Schemas } from "../api/client";
import { tagsOf } from "../links/tags-text";

export type SsoConfiguration = Schemas["SsoConfiguration"];

/** Fields that show the API's error messages. */
export const SSO_FIELDS = ["issuer", "clientId", "clientSecret", "allowedDomains", "defaultRole"];

export const ssoDraft = ({
  issuer = "",
  clientId = "",
  allowedDomains,
  defaultRole,
  enabled,
  enforce,
}: SsoConfiguration) => ({
  ...{ issuer, clientId, domains: allowedDomains.join(", "), defaultRole, enabled, enforce },
  /** A new secret; the current one is never shown. */
  clientSecret: "",
});

export type SsoDraft = ReturnType<typeof ssoDraft>;

export function ssoChanges(saved: SsoDraft, draft: SsoDraft): Schemas["SsoUpdate"] {
  const [was, is] = [bodyOf(saved), bodyOf(draft)];
  return {
    ...(is.issuer !== was.issuer && { issuer: is.issuer }),
    ...(is.clientId !== was.clientId && { clientId: is.clientId }),
    ...(draft.clientSecret && { clientSecret: draft.clientSecret }),
    ...(is.allowedDomains.join() !== was.allowedDomains.join() && { allowedDomains: is.allowedDomains }),
    ...(is.defaultRole !== was.defaultRole && { defaultRole: is.defaultRole }),
    ...(is.enabled !== was.enabled && { enabled: is.enabled }),
    ...(is.enforce !== was.enforce && { enforce: is.enforce }),
  };
}

const bodyOf = ({ issuer, clientId, domains, ...rest }: SsoDraft) => ({
  ...{ ...rest, issuer: issuer.trim() || null, clientId: clientId.trim() || null, allowedDomains: tagsOf(domains) },
});
