import { LogIn } from "lucide-react";
import type { SsoOrganization } from "../shell/session";
import { Notice } from "../ui/data";
import { Screen, Stack } from "../ui/layout";
import { words } from "../words";

/** Leads to the identity providers of organizations that require them. */
export const RequiredSso = ({ organizations }: { organizations: readonly SsoOrganization[] }) =>
  organizations.length > 0 ? (
    <Stack gap={2}>
      {organizations.map((organization) => (
        <SsoNotice key={organization.slug} organization={organization} />
      ))}
    </Stack>
  ) : null;

const SsoNotice = ({ organization: { name, startUrl } }: { organization: SsoOrganization }) => (
  <Notice icon={LogIn}>
    {words.shell.requiresSso(name)} <a href={startUrl}>{words.shell.useSso}</a>
  </Notice>
);

/** Shown in place of an organization's screens; leads back to the requested one. */
export const RequiredSsoScreen = ({ organization }: { organization: SsoOrganization }) => (
  <Screen title={organization.name}>
    <SsoNotice organization={{ ...organization, startUrl: leadingHere(organization.startUrl) }} />
    <p>
      <a href="/app">{words.shell.toStart}</a>
    </p>
  </Screen>
);

/** Longer paths are refused. */
const PATH_MAX = 1_000;

function leadingHere(startUrl: string): string {
  const url = new URL(startUrl);
  const query = new URLSearchParams(location.search);
  const here = query.size > 0 ? `${location.pathname}?${query}` : location.pathname;
  if (here.length <= PATH_MAX) url.searchParams.set("returnTo", here);
  return url.href;
}
