/** Lists who changed what, and when. */
import { ScrollText } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Link as Anchor, useSearchParams } from "wouter";
import { api, type Schemas, unwrap } from "../api/client";
import { usePagedQuery } from "../shell/api-queries";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { Collapsible } from "../ui/charts/finding";
import { Empty, Failure, ShowMore, Skeleton } from "../ui/data";
import { TextField } from "../ui/field";
import { momentText } from "../ui/format";
import { Card, Code, CodeBlock, Grid, Row, Stack, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { settingsWords as words } from "./words";

const PAGE = 50;
const FILTERS = ["action", "resourceType", "teamEmail"] as const;
type Filters = Partial<Record<(typeof FILTERS)[number], string>>;
type Entry = Schemas["AuditLog"];
/** Where resources have a screen of their own, by the log's types of resources. */
const SCREENS: Partial<Record<string, string>> = {
  app: "/apps",
  bio_page: "/pages",
  domain: "/domains",
  import: "/settings/imports",
  link: "/links",
  webhook: "/developers/webhooks",
};
/** The fields that people know a resource by. */
const NAMES = ["hostname", "slug", "email", "name", "title", "url"];

export default function AuditLog() {
  const { auditLog: said } = words.settings;
  const { _id: orgId } = useOrg();
  const [params, setParams] = useSearchParams();
  const filters: Filters = Object.fromEntries(
    FILTERS.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])),
  );
  const query = usePagedQuery(["audit-logs", orgId, filters], (page, signal) =>
    unwrap(
      api.GET("/api/v1/organizations/{orgId}/audit-logs", {
        params: { path: { orgId }, query: { ...filters, page, limit: PAGE } },
        signal,
      }),
    ),
  );
  const entries = query.data?.pages.flatMap((page) => page.auditLogs) ?? [];
  return (
    <Stack>
      <FilterForm filters={filters} onFilter={(next) => setParams(next)} />
      {query.error && !query.data ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : null}
      <Card padded={false}>
        {query.data ? (
          entries.length === 0 ? (
            <Empty icon={ScrollText} title={said.none} />
          ) : (
            <Entries of={entries} />
          )
        ) : (
          <Skeleton />
        )}
      </Card>
      <ShowMore of={query} />
    </Stack>
  );
}

function FilterForm({ filters, onFilter }: { filters: Filters; onFilter(next: Record<string, string>): void }) {
  const { auditLog: said } = words.settings;
  const [values, setValues] = useState(filters);
  const given = JSON.stringify(filters);
  const [seen, setSeen] = useState(given);
  // The URL can change without the form, for example by the browser's Back.
  if (seen !== given) {
    setSeen(given);
    setValues(filters);
  }
  const send = (event: FormEvent) => {
    event.preventDefault();
    onFilter(
      Object.fromEntries(FILTERS.flatMap((name) => (values[name]?.trim() ? [[name, values[name].trim()]] : []))),
    );
  };
  return (
    <form onSubmit={send}>
      <Stack gap={3}>
        <Grid>
          {FILTERS.map((name) => (
            <TextField
              key={name}
              label={said.filters[name]}
              hint={said.hints[name]}
              value={values[name] ?? ""}
              onChange={(value) => setValues({ ...values, [name]: value })}
              autoComplete="off"
              maxLength={name === "teamEmail" ? 254 : 100}
            />
          ))}
        </Grid>
        <Row>
          <Button type="submit">{said.filter}</Button>
          <Button kind="quiet" disabled={Object.keys(filters).length === 0} onClick={() => onFilter({})}>
            {words.links.none.clear}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}

/** The log begins with the newest entry, so a deletion is listed before the resource's other entries. */
function Entries({ of }: { of: readonly Entry[] }) {
  const { auditLog: said } = words.settings;
  const deleted = new Set(of.filter(isDeletion).map(({ resourceId }) => resourceId));
  return (
    <Table
      label={words.settings.tabs.auditLog}
      rows={of}
      keyOf={({ _id }) => _id}
      columns={[
        { title: said.at, isTime: true, cell: ({ createdAt }) => momentText(createdAt) },
        { title: said.actor, cell: (entry) => <Actor of={entry} /> },
        { title: said.action, cell: (entry) => <Action of={entry} isDeleted={deleted.has(entry.resourceId)} /> },
        { title: said.changes, cell: (entry) => <Changes of={entry} /> },
      ]}
    />
  );
}

const Actor = ({ of: { actor, ip } }: { of: Entry }) => (
  <>
    <Text foreign>{actor.email ?? words.settings.auditLog.actors[actor.type]}</Text>
    {ip || actor.accessToken ? (
      <Text soft small foreign>
        {actor.accessToken?.name ?? ip}
      </Text>
    ) : null}
  </>
);

const isDeletion = ({ action }: Entry): boolean => action.endsWith(".delete");

const Action = ({
  of: { action, resourceType, resourceId, resourceName, changes },
  isDeleted,
}: {
  of: Entry;
  isDeleted: boolean;
}) => {
  const name = nameIn(changes) ?? resourceName ?? resourceId;
  const screen = isDeleted ? undefined : SCREENS[resourceType];
  return (
    <>
      <Code>{action}</Code>
      <Text soft small foreign>
        {screen ? <Anchor href={`${screen}/${resourceId}`}>{name}</Anchor> : name}
      </Text>
    </>
  );
};

function Changes({ of: { changes } }: { of: Entry }) {
  const { auditLog: said } = words.settings;
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  return (
    <Collapsible title={said.fields(fields.length)}>
      <Stack gap={2}>
        {fields.map(([field, change]) => (
          <div key={field}>
            <Text strong small>
              {field}
            </Text>
            <CodeBlock>{said.change(textOf(Object(change).from), textOf(Object(change).to))}</CodeBlock>
          </div>
        ))}
      </Stack>
    </Collapsible>
  );
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? "–" : typeof value === "string" ? value : JSON.stringify(value);

/** Returns the name that the change gave to the resource, or took from it. */
function nameIn(changes: Entry["changes"]): string | undefined {
  const values = NAMES.flatMap((field) => {
    const { from, to } = Object(changes[field]);
    return [to, from];
  });
  return values.find((value) => typeof value === "string" && value !== "");
}
