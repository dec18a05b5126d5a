/** Imports from other services, and exports of all data. */
import { Route, Switch } from "wouter";
import { Columns, Stack } from "../ui/layout";
import { Exports } from "./exports";
import { ImportForm } from "./import-form";
import { JobList } from "./job-list";
import { OneJob } from "./one-job";

const Imports = () => (
  <Switch>
    <Route path="/settings/imports/:importId">{({ importId }) => <OneJob importId={importId} />}</Route>
    <Route>
      <Columns>
        <Stack>
          <ImportForm />
          <JobList />
        </Stack>
        <Exports />
      </Columns>
    </Route>
  </Switch>
);

export default Imports;
