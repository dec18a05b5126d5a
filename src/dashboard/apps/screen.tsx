/** The organization's apps: which links open them, and how phones verify that. */
import { Redirect, Route, Switch } from "wouter";
import { Failure, Skeleton } from "../ui/data";
import { Screen } from "../ui/layout";
import { words } from "../words";
import { AppScreen, BackToApps } from "./app";
import { AppList } from "./list";
import { type Profile, useApps } from "./queries";

export default function AppsScreen() {
  const { data: apps, error, refetch } = useApps();
  if (!apps) {
    return (
      <Screen title={words.screens.apps}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Screen>
    );
  }
  return (
    <Switch>
      <Route path="/apps">
        <AppList apps={apps} />
      </Route>
      <Route path="/apps/new">
        <AppScreen key="new" />
      </Route>
      <Route path="/apps/:appId">{({ appId }) => <One app={apps.find(({ _id }) => _id === appId)} />}</Route>
      <Route>
        <Redirect to="/apps" replace />
      </Route>
    </Switch>
  );
}

const One = ({ app }: { app: Profile | undefined }) =>
  app ? (
    <AppScreen key={app._id} app={app} />
  ) : (
    <Screen title={words.shell.missing} before={<BackToApps />}>
      <p>{words.shell.gone}</p>
    </Screen>
  );
