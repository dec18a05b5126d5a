/** One import: its progress, the result of each record, and actions on it. */
import { ArrowLeft } from "lucide-react";
import { type ReactNode, useState } from "react";
import { failureText } from "../api/failures";
import { isMissing } from "../links/queries";
import { useOrg } from "../shell/session";
import { Button, Download, LinkButton } from "../ui/button";
import { Failure, Notice, Pairs, Skeleton } from "../ui/data";
import { Confirm } from "../ui/dialog";
import { countText } from "../ui/format";
import { Card, Row, Stack, Text } from "../ui/layout";
import { toast } from "../ui/toasts";
import { JobState } from "./job-list";
import { Ledger } from "./ledger";
import { isOver, type Job, type JobAct, useJob, useJobAct } from "./queries";
import { importsWords as words } from "./words";

export function OneJob({ importId }: { importId: string }) {
  const { _id: orgId } = useOrg();
  const { imports } = words;
  const { data: job, error, refetch } = useJob(importId);
  const back = (
    <LinkButton to="/settings/imports" kind="quiet" small icon={ArrowLeft}>
      {imports.earlier}
    </LinkButton>
  );
  if (isMissing(error)) return <Gone back={back} />;
  if (!job) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton />;
  return (
    <Stack>
      <Row wrap>
        {back}
        <JobState job={job} />
      </Row>
      {job.error ? <Notice tone="bad">{job.error}</Notice> : null}
      <Card title={job.fileName} actions={<Acts job={job} />}>
        <Pairs of={countsOf(job)} />
      </Card>
      <Ledger
        job={job}
        actions={
          <Download small href={`/app/api/v1/organizations/${orgId}/imports/${importId}/ledger.csv`}>
            {imports.ledgerCsv}
          </Download>
        }
      />
    </Stack>
  );
}

const Gone = ({ back }: { back: ReactNode }) => (
  <Stack>
    <Row>{back}</Row>
    <Text>{words.shell.gone}</Text>
  </Stack>
);

function countsOf({ counts }: Job): [name: string, count: string][] {
  const names: Record<string, string> = words.imports.counts;
  return Object.entries(counts).flatMap(([name, count]) => (count ? [[names[name] ?? name, countText(count)]] : []));
}

function Acts({ job }: { job: Job }) {
  const { imports } = words;
  const act = useJobAct();
  const [isAsking, setAsking] = useState(false);
  const run = (name: JobAct) =>
    act.mutate(
      { importId: job._id, act: name },
      {
        onError: (error) => toast({ text: failureText(error), isFailure: true }),
        close: () => setAsking(false),
      },
    );
  if (!isOver(job)) {
    return (
      <Button small busy={act.isPending} onClick={() => run("cancel")}>
        {imports.cancel}
      </Button>
    );
  }
  if (job.options.dryRun) return null;
  return (
    <>
      <Button small title={imports.verifyHint} busy={act.isPending} onClick={() => run("verify")}>
        {imports.verify}
      </Button>
      <Button small onClick={() => setAsking(true)}>
        {imports.rollback}
      </Button>
      {isAsking ? (
        <Confirm
          {...imports.confirm}
          act={imports.rollback}
          isBusy={act.isPending}
          onConfirm={() => run("rollback")}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
