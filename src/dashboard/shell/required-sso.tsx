import { LogIn } from "lucide-react";
import { Notice } from "../ui/data";
import { Screen, Stack } from "../ui/layout";
import { words } from "../words";
import type { SsoOrganization } from "./session";

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

/** Shown in place of an organization's screens. */
export const RequiredSsoScreen = ({ organization }: { organization: SsoOrganization }) => (
  <Screen title={organization.name}>
    <SsoNotice organization={organization} />
    <p>
      <a href="/app">{words.shell.toStart}</a>
    </p>
  </Screen>
);
