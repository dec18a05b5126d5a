import { Link as Anchor } from "wouter";
import { Chip, Failure, Skeleton } from "../ui/data";
import { momentText, percentText } from "../ui/format";
import { Card, Row, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { type Job, useJobs } from "./queries";
import { importsWords as words } from "./words";

const TONES: Partial<Record<Job["status"], "good" | "bad" | "accent">> = {
  done: "good",
  failed: "bad",
  running: "accent",
};

export const JobState = ({ job: { status, task, progress, options } }: { job: Job }) => {
  const { imports } = words;
  return (
    <Row wrap gap={1}>
      <Chip tone={TONES[status]}>{imports.statuses[status]}</Chip>
      {task === "import" ? null : <Chip>{imports.tasks[task]}</Chip>}
      {options.dryRun ? <Chip tone="warn">{imports.tried}</Chip> : null}
      {status === "running" ? <Text small>{imports.progress(percentText(progress))}</Text> : null}
    </Row>
  );
};

export function JobList() {
  const { imports } = words;
  const { data, error, refetch } = useJobs();
  if (data?.imports.length === 0) return null;
  return (
    <Card title={imports.earlier} padded={false}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Jobs jobs={data.imports} /> : <Skeleton rows={2} />}
    </Card>
  );
}

const Jobs = ({ jobs }: { jobs: readonly Job[] }) => {
  const { imports } = words;
  return (
    <Table
      label={imports.earlier}
      rows={jobs}
      keyOf={({ _id }) => _id}
      columns={[
        {
          title: imports.file,
          cell: ({ _id, fileName, source }) => (
            <>
              <Anchor href={`/settings/imports/${_id}`}>{fileName}</Anchor>
              <Text soft small>
                {imports.sources[source]}
              </Text>
            </>
          ),
        },
        { title: imports.status, cell: (job) => <JobState job={job} /> },
        { title: imports.when, isTime: true, cell: ({ createdAt }) => momentText(createdAt) },
      ]}
    />
  );
};
