/** The way in and the way out: links of other services, and the archive of everything. */
import { Route, Switch } from "wouter";
import { Columns, Stack } from "../ui/layout";
import { Exports } from "./exports";
import { JobList } from "./job-list";
import { OneJob } from "./one-job";
import { UploadForm } from "./upload-form";

const Imports = () => (
  <Switch>
    <Route path="/settings/imports/:importId">{({ importId }) => <OneJob importId={importId} />}</Route>
    <Route>
      <Columns>
        <Stack>
          <UploadForm />
          <JobList />
        </Stack>
        <Exports />
      </Columns>
    </Route>
  </Switch>
);

export default Imports;
