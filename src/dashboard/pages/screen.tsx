/** The organization's bio pages, and the editor for each. */
import { Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { Skeleton } from "../ui/data";
import { lazyPart } from "../ui/part";
import { PageList } from "./list";

const Editor = lazyPart(() => import("./editor"));

const PagesScreen = () => (
  <Switch>
    <Route path="/pages">
      <PageList />
    </Route>
    <Route path="/pages/new">
      <PageList isCreating />
    </Route>
    <Route path="/pages/:bioPageId">
      {({ bioPageId }) => (
        <Suspense fallback={<Skeleton />}>
          <Editor key={bioPageId} bioPageId={bioPageId} />
        </Suspense>
      )}
    </Route>
    <Route>
      <Redirect to="/pages" replace />
    </Route>
  </Switch>
);

export default PagesScreen;
