/** Tabs for developers of programs that use the service. */
import { Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useOrg } from "../shell/session";
import { Skeleton, Tabs } from "../ui/data";
import { Screen } from "../ui/layout";
import { lazyPart } from "../ui/part";
import { developersWords as words } from "./words";

const Webhooks = lazyPart(() => import("./webhooks"));
const WebhookLog = lazyPart(() => import("./webhook-log"));
const ApiKeys = lazyPart(() => import("./api-keys"));
const AccessTokens = lazyPart(() => import("./access-tokens"));

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
