/** The organization's domains, and how to get each of them working. */
import { Redirect, Route, Switch } from "wouter";
import { useDomains } from "../links/domains";
import { Failure, Skeleton } from "../ui/data";
import { Screen } from "../ui/layout";
import { words } from "../words";
import { DomainScreen } from "./domain";
import { DomainList } from "./list";

export default function DomainsScreen() {
  const { data: domains, error, refetch } = useDomains();
  if (!domains) {
    return (
      <Screen title={words.screens.domains}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Screen>
    );
  }
  return (
    <Switch>
      <Route path="/domains">
        <DomainList domains={domains} />
      </Route>
      <Route path="/domains/new">
        <DomainList domains={domains} isAdding />
      </Route>
      <Route path="/domains/:domainId">
        {({ domainId }) => <DomainScreen domain={domains.find(({ _id }) => _id === domainId)} />}
      </Route>
      <Route>
        <Redirect to="/domains" replace />
      </Route>
    </Switch>
  );
}
