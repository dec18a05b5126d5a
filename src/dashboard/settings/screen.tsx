/** Tabs for the organization, its members, and the user's own account. */
import { Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useOrg } from "../shell/session";
import { Skeleton, Tabs } from "../ui/data";
import { Screen } from "../ui/layout";
import { lazyPart } from "../ui/part";
import { settingsWords as words } from "./words";

const Imports = lazyPart(() => import("../imports/tab"), "imports");
const Members = lazyPart(() => import("./members"));
const SingleSignOn = lazyPart(() => import("./single-sign-on"));
const Account = lazyPart(() => import("./account"));
const AuditLog = lazyPart(() => import("./audit-log"));
const Organization = lazyPart(() => import("./organization"));

export default function Settings() {
  const { may } = useOrg();
  const names = words.settings.tabs;
  const tabs = [
    { path: "/settings/organization", text: names.organization, role: "viewer", Tab: Organization },
    { path: "/settings/members", text: names.members, role: "viewer", Tab: Members },
    { path: "/settings/imports", text: names.imports, role: "admin", Tab: Imports },
    { path: "/settings/account", text: names.account, role: "viewer", Tab: Account },
    { path: "/settings/audit-log", text: names.auditLog, role: "admin", Tab: AuditLog },
    { path: "/settings/single-sign-on", text: names.sso, role: "owner", Tab: SingleSignOn },
  ] as const;
  const reached = tabs.filter(({ role }) => may(role));
  return (
    <Screen title={words.screens.settings}>
      <Tabs label={words.screens.settings} tabs={reached.map(({ path, text }) => [path, text])} />
      <Suspense fallback={<Skeleton />}>
        <Switch>
          {reached.map(({ path, Tab }) => (
            <Route key={path} path={`${path}/*?`}>
              <Tab />
            </Route>
          ))}
          <Route>
            <Redirect to="/settings/organization" replace />
          </Route>
        </Switch>
      </Suspense>
    </Screen>
  );
}
