import { AppWindow, Plus } from "lucide-react";
import { Link as Anchor } from "wouter";
import { useListSearch, WHOLE } from "../shell/list-search";
import { useOrg } from "../shell/session";
import { LinkButton } from "../ui/button";
import { Chip, Empty, ListRow } from "../ui/data";
import { AppIcon, Card, Grow, Row, Screen, Stack, Text } from "../ui/layout";
import type { Profile } from "./queries";
import { appsWords as words } from "./words";

export function AppList({ apps }: { apps: readonly Profile[] }) {
  const { may } = useOrg();
  const [found, search] = useListSearch(WHOLE, apps, ({ name, subtitle, pathPrefix }) => [name, subtitle, pathPrefix]);
  const { add, empty } = words.apps;
  const button = may("admin") ? (
    <LinkButton to="/apps/new" kind="primary" icon={Plus}>
      {add}
    </LinkButton>
  ) : undefined;
  return (
    <Screen title={words.screens.apps} actions={apps.length > 0 ? button : undefined}>
      {search}
      <Card padded={false}>
        {apps.length === 0 ? (
          <Empty icon={AppWindow} title={empty.title} text={may("admin") ? empty.text : empty.viewer} action={button} />
        ) : (
          <ul aria-label={words.screens.apps}>
            {found.map((app) => (
              <li key={app._id}>
                <AppRow app={app} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Screen>
  );
}

/** Contains the time of the last change, because the image behind the address may have changed. */
const iconOf = ({ _id, updatedAt }: Profile): string =>
  `/api/v1/public/app-icons/apps/${_id}?${new URLSearchParams({ at: updatedAt })}`;

const AppRow = ({ app }: { app: Profile }) => {
  const { apps } = words;
  const { _id, name, subtitle, pathPrefix, ios, android } = app;
  const where = pathPrefix ? apps.prefixed(pathPrefix) : apps.unprefixed;
  return (
    <ListRow>
      <AppIcon src={iconOf(app)} />
      <Grow>
        <Stack gap={1}>
          <Text strong oneLine foreign>
            <Anchor href={`/apps/${_id}`}>{name}</Anchor>
          </Text>
          {subtitle ? (
            <Text soft small oneLine foreign>
              {subtitle}
            </Text>
          ) : null}
          <Row wrap gap={1}>
            <Chip>{where}</Chip>
            {ios ? <Opening on="ios" opens={!!ios.teamId && !!ios.bundleId} /> : null}
            {android ? (
              <Opening on="android" opens={!!android.packageName && !!android.sha256CertFingerprints?.length} />
            ) : null}
          </Row>
        </Stack>
      </Grow>
    </ListRow>
  );
};

const Opening = ({ on, opens }: { on: "ios" | "android"; opens: boolean }) => (
  <Chip tone={opens ? "good" : "warn"}>{opens ? words.apps.opens[on] : words.apps.store[on]}</Chip>
);
