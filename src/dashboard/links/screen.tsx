/** The start screen: the form that creates a link, and the list of links. The screen of one link is below it. */
import { Route, Switch } from "wouter";
import { lazyPart } from "../ui/part";
import { LinkList } from "./list";

const LinkScreen = lazyPart(() => import("../link/screen"), "link");

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
