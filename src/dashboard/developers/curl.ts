/** Formats a curl command that tries out a new key or token. */
import type { Schemas } from "../api/client";
import { curlOf } from "../api/curl";

const JSON_HEADER = "-H 'Content-Type: application/json'";

export function curlOfKey(key: string, scopes: Schemas["ApiKey"]["scopes"]): string {
  const sent = `-H 'Authorization: ApiKey ${key}'`;
  const links = `${location.origin}/api/v1/links`;
  if (scopes.includes("links:write"))
    return `curl ${links} ${sent} ${JSON_HEADER} -d '{"defaultUrl":"https://example.com/"}'`;
  if (scopes.includes("events:write"))
    return `curl ${location.origin}/api/v1/events ${sent} ${JSON_HEADER} -d '{"name":"signup"}'`;
  return scopes.includes("links:read") ? `curl ${links}/LINK_ID ${sent}` : `curl ${links}/LINK_ID/qrcode ${sent}`;
}

export function curlOfToken(token: string, scopes: Schemas["AccessToken"]["scopes"], orgId: string): string {
  const path = scopes.some((scope) => scope === "read" || scope === "links")
    ? "/links"
    : scopes.includes("analytics")
      ? "/analytics/overview"
      : "/members";
  return curlOf(`${location.origin}/api/v1/organizations/${orgId}${path}`, `-H 'Authorization: Bearer ${token}'`);
}
