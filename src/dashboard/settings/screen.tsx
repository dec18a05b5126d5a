/** Tabs for the organization, its members, and the user's own account. */
import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useOrg } from "../shell/session";
import { Skeleton, Tabs } from "../ui/data";
import { Screen } from "../ui/layout";
import { words } from "../words";

const Imports = lazy(() => import("../imports/tab"));
const Members = lazy(() => import("./members"));
const SingleSignOn = lazy(() => import("./single-sign-on"));
const Account = lazy(() => import("./account"));
const AuditLog = lazy(() => import("./audit-log"));
const Organization = lazy(() => import("./organization"));

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
