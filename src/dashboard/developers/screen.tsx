/** Tabs for developers of programs that use the service. */
import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useOrg } from "../shell/session";
import { Skeleton, Tabs } from "../ui/data";
import { Screen } from "../ui/layout";
import { words } from "../words";

const Webhooks = lazy(() => import("./webhooks"));
const WebhookLog = lazy(() => import("./webhook-log"));
const ApiKeys = lazy(() => import("./api-keys"));
const AccessTokens = lazy(() => import("./access-tokens"));

export default function Developers() {
  const { may } = useOrg();
  const names = words.developers.tabs;
  const ofAdmins = [
    ["/developers/webhooks", names.webhooks],
    ["/developers/api-keys", names.apiKeys],
  ] as const;
  const tabs = [...(may("admin") ? ofAdmins : []), ["/developers/access-tokens", names.accessTokens] as const];
  return (
    <Screen title={words.screens.developers}>
      <Tabs label={words.screens.developers} tabs={tabs} />
      <Suspense fallback={<Skeleton />}>
        <Switch>
          {may("admin") ? <Route path="/developers/webhooks" component={Webhooks} /> : null}
          {may("admin") ? (
            <Route path="/developers/webhooks/:webhookId">
              {({ webhookId }) => <WebhookLog webhookId={webhookId} />}
            </Route>
          ) : null}
          {may("admin") ? <Route path="/developers/api-keys" component={ApiKeys} /> : null}
          <Route path="/developers/access-tokens" component={AccessTokens} />
          <Route>
            <Redirect to={tabs[0]?.[0] ?? "/"} replace />
          </Route>
        </Switch>
      </Suspense>
    </Screen>
  );
}
