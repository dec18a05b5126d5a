/** The dashboard's frame: session, organization, side bar, and the screen for the URL. */
import { QueryClientProvider } from "@tanstack/react-query";
import { Terminal } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { useAccess } from "../access/access";
import { RequiredSso, RequiredSsoScreen } from "../access/required-sso";
import { ApiFailure, failureText, isForLong, Unreachable } from "../api/failures";
import { DashboardQueries } from "../api/query-client";
import { hasOnlyCopy } from "../drafts/only-copy";
import { IconButton } from "../ui/button";
import { Failure, Skeleton } from "../ui/data";
import { useArrival } from "../ui/focus";
import { HeadTools, Screen } from "../ui/layout";
import { Boundary, LoadAgain, lazyPart } from "../ui/part";
import { Toasts, toast } from "../ui/toasts";
import { words } from "../words";
import { AskToConfirm } from "./ask-to-confirm";
import { CommandKeys } from "./command-keys";
import { openCommand } from "./commands";
import { ConnectionLostBanner, LimitReached } from "./connection-lost";
import { aroundLeaving, LeaveQuestion } from "./leaving";
import { NewOrganization } from "./new-organization";
import { SCREENS } from "./screens";
import { ShownSecret } from "./secret";
import { type Org, OrgContext, useSession } from "./session";
import { SideBar } from "./side-bar";
import { useAccent } from "./theme";

const Gallery = lazyPart(() => import("../ui/gallery/gallery"));
const TRIES_MAX = 2;

/** Errors that a retry cannot change, or not soon, are not retried. */
const isWorthAnother = (tries: number, error: unknown): boolean =>
  tries < TRIES_MAX &&
  !isForLong(error) &&
  !(error instanceof ApiFailure && error.status < 500 && error.status !== 429);

const queries = new DashboardQueries({
  defaultOptions: {
    // Do not trust the browser's offline state: only a request shows whether the API can be reached.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 10_000,
      retry: isWorthAnother,
      retryDelay: (tries, error) =>
        error instanceof ApiFailure && error.retryAfterSeconds ? error.retryAfterSeconds * 1_000 : 500 * 2 ** tries,
    },
  },
});

export const App = () => (
  <QueryClientProvider client={queries}>
    <Router base="/app" aroundNav={aroundLeaving}>
      <Boundary failed={(error, again) => <NotLoaded {...{ error, again }} />}>
        <Switch>
          <Route path="/o/:slug" nest>
            {({ slug }) => <Organization slug={slug} />}
          </Route>
          <Route path="/ui/*?">
            <Suspense>
              <Gallery />
            </Suspense>
          </Route>
          <Route>
            <Start />
          </Route>
        </Switch>
      </Boundary>
      <ShownSecret />
      <Toasts />
    </Router>
  </QueryClientProvider>
);

/** Without an organization in the URL: redirects to the first of the session's list. */
function Start() {
  const session = useSession();
  useSsoFailure(session.data !== undefined);
  if (session.error) return <Failed error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data) return <Waiting />;
  const [first] = session.data.organizations;
  return first ? (
    <Redirect to={`/o/${first.slug}/links`} replace />
  ) : (
    <main>
      <NewOrganization session={session.data} />
    </main>
  );
}

/** A single sign-on that failed while the user was signed in leads to the start with an error in the URL. */
function useSsoFailure(isSignedIn: boolean): void {
  // Read before the redirect removes it.
  const [hasFailed] = useState(() => new URLSearchParams(location.search).has("error"));
  useEffect(() => {
    if (hasFailed && isSignedIn) toast({ text: words.shell.ssoFailed, isFailure: true });
  }, [hasFailed, isSignedIn]);
}

function Organization({ slug }: { slug: string }) {
  const session = useSession();
  const own = session.data?.organizations.find((each) => each.slug === slug);
  const org = useAccess(own, slug);
  useAccent(org?.branding.accentColor);
  const ssoOrg = session.data?.ssoOrganizations?.find((each) => each.slug === slug);
  if (session.data && !own && !(org && hasOnlyCopy()))
    return <main>{ssoOrg ? <RequiredSsoScreen organization={ssoOrg} /> : <NotHere ended={org} />}</main>;
  if (session.error && !session.data) return <Failed error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data || !org) return <Waiting />;
  return (
    <OrgContext value={org}>
      <a href="#main" className="skip">
        {words.shell.skip}
      </a>
      <div className="shell">
        <SideBar session={session.data} org={org} />
        <main id="main" tabIndex={-1}>
          <ConnectionLostBanner />
          <LimitReached />
          {own ? null : ssoOrg ? <RequiredSso organizations={[ssoOrg]} /> : <AccessEnded org={org} />}
          {session.data.user.emailVerified ? null : <AskToConfirm />}
          <HeadTools value={<CurlButton />}>
            <Screens org={org} />
          </HeadTools>
        </main>
      </div>
      <CommandKeys org={org} />
      <LeaveQuestion />
    </OrgContext>
  );
}

/** Above a screen in which something is typed that can no longer be saved. */
const AccessEnded = ({ org: { name } }: { org: Org }) => (
  <div role="alert" className="away">
    {`${words.shell.accessEnded(name)} ${words.shell.typedRemains}`}
  </div>
);

const CurlButton = () => (
  <IconButton icon={Terminal} label={words.shell.curl.title} onClick={() => openCommand("curl")} />
);

function Screens({ org }: { org: Org }) {
  const [path] = useLocation();
  useArrival(path);
  return (
    <Boundary key={path.split("/")[1]} at={path} failed={(error, again) => <NotLoaded {...{ error, again }} />}>
      <Suspense fallback={<Waiting />}>
        <Switch>
          {SCREENS.map(({ path: start, pattern, Screen: Shown }) => (
            <Route key={start} path={pattern}>
              <Shown />
            </Route>
          ))}
          <Route path="/">
            <Redirect to={SCREENS[0]?.path ?? "/"} replace />
          </Route>
          <Route>
            <NotHere backTo={`/app/o/${org.slug}`} />
          </Route>
        </Switch>
      </Suspense>
    </Boundary>
  );
}

const Waiting = () => (
  <div className="page">
    <Skeleton />
  </div>
);

/** `ended` is the organization that was shown here, if the user's access to it has ended. */
const NotHere = ({ ended, backTo = "/app" }: { ended?: Org | undefined; backTo?: string }) => (
  <Screen title={ended?.name ?? words.shell.missing}>
    {ended ? <p role="alert">{words.shell.accessEnded(ended.name)}</p> : null}
    <p>
      <a href={backTo}>{words.shell.toStart}</a>
    </p>
  </Screen>
);

const Failed = ({ error, onRetry }: { error: unknown; onRetry(): void }) => (
  <div className="page">
    <Failure error={error} onRetry={onRetry} />
  </div>
);

const NotLoaded = ({ error, again }: { error: unknown; again(): void }) => {
  const { offline } = words.shell;
  const isOffline = error instanceof Unreachable;
  return (
    <Screen title={isOffline ? offline.title : words.ui.failed} actions={<LoadAgain {...{ error, again }} />}>
      <p role="status">{isOffline ? offline.text : failureText(error)}</p>
    </Screen>
  );
};
