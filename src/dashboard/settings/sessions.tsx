import { useQueryClient } from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { api, type Schemas, unwrap } from "../api/client";
import { failureText } from "../api/failures";
import { usePagedQuery } from "../shell/api-queries";
import { Button } from "../ui/button";
import { Chip, Failure, ShowMore, Skeleton } from "../ui/data";
import { momentText } from "../ui/format";
import { Card, Stack, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { toast } from "../ui/toasts";
import { settingsWords as words } from "./words";

const KEY = ["sessions"];
const PAGE = 50;

/** The account's sessions; all but the current one can be ended here. */
export function Sessions() {
  const { account: said } = words.settings;
  const query = usePagedQuery(KEY, (page, signal) =>
    unwrap(api.GET("/api/v1/auth/sessions", { params: { query: { page, limit: PAGE } }, signal })),
  );
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton />;
  return (
    <Stack>
      <Card title={said.sessions} padded={false}>
        <Table
          label={said.sessions}
          rows={query.data.pages.flatMap((page) => page.sessions)}
          keyOf={({ _id }) => _id}
          columns={[
            { title: said.device, cell: (session) => <Device session={session} /> },
            {
              title: said.lastUsed,
              isTime: true,
              cell: ({ lastUsedAt, createdAt }) => momentText(lastUsedAt ?? createdAt),
            },
            {
              title: said.actions,
              isTitleHidden: true,
              isNumber: true,
              cell: (session) => (session.isCurrent ? null : <End session={session} />),
            },
          ]}
        />
      </Card>
      <ShowMore of={query} />
    </Stack>
  );
}

type Session = Schemas["Session"];

function Device({ session: { browser, os, ip, isCurrent, userAgent } }: { session: Session }) {
  const { account: said } = words.settings;
  return (
    <Stack gap={1}>
      <Text strong foreign>
        {[browser, os].filter(Boolean).join(", ") || userAgent || said.unknownDevice}
      </Text>
      {ip ? (
        <Text soft small foreign>
          {ip}
        </Text>
      ) : null}
      {isCurrent ? (
        <div>
          <Chip tone="good">{said.thisOne}</Chip>
        </div>
      ) : null}
    </Stack>
  );
}

function End({ session: { _id: sessionId } }: { session: Session }) {
  const { account: said } = words.settings;
  const client = useQueryClient();
  const end = useChange({
    mutationFn: () => unwrap(api.DELETE("/api/v1/auth/sessions/{sessionId}", { params: { path: { sessionId } } })),
    onSuccess: () => toast({ text: said.ended }),
    onError: (error) => toast({ text: failureText(error), isFailure: true }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Button small busy={end.isPending} onClick={() => end.mutate()}>
      {said.end}
    </Button>
  );
}
