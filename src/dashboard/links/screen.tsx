/** The start screen: the form that creates a link, and the list of links. The screen of one link is below it. */
import { lazy } from "react";
import { Route, Switch } from "wouter";
import { LinkList } from "./list";

const LinkScreen = lazy(() => import("../link/screen"));

const LinksScreen = () => (
  <Switch>
    <Route path="/links">
      <LinkList />
    </Route>
    <Route path="/links/new">
      <LinkList isCreating />
    </Route>
    <Route path="/links/:linkId/*?">{({ linkId }) => <LinkScreen linkId={linkId} />}</Route>
  </Switch>
);

export default LinksScreen;
