/** Home: the box that shortens, and the list of links. One link's own screen is below it. */
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
