import { failureText } from "../api/failures";
import { useOrg } from "../shell/session";
import { Button, Download } from "../ui/button";
import { Chip, Failure } from "../ui/data";
import { countText, dayText, megabytesText, momentText } from "../ui/format";
import { Card, Grow, Row, Stack, Text } from "../ui/layout";
import { toast } from "../ui/toasts";
import { useExports, useRequestExport } from "./queries";
import { importsWords as words } from "./words";

/** Archives of all the organization's data, for owners and admins. */
export function Exports() {
  const { exports: said, statuses } = words.imports;
  const { _id: orgId } = useOrg();
  const { data, error, refetch } = useExports();
  const request = useRequestExport(data?.exports[0]?._id);
  const start = () =>
    request.mutate(undefined, {
      onSuccess: () => toast({ text: said.requested }),
      onError: (cause) => toast({ text: failureText(cause), isFailure: true }),
    });
  return (
    <Card title={said.title}>
      <Stack>
        <Text soft>{said.text}</Text>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
        {data?.exports.map(({ _id, status, createdAt, bytes, expiredClicks, error: why }) => (
          <Row key={_id} wrap>
            <Grow>
              <Text>{momentText(createdAt)}</Text>
              <Text soft small>
                {why ?? (status === "done" ? said.size(megabytesText(bytes)) : null)}
              </Text>
              {expiredClicks ? (
                <Text soft small>
                  {said.expired(countText(expiredClicks.count), dayText(expiredClicks.before))}
                </Text>
              ) : null}
            </Grow>
            {status === "done" ? (
              <Download small href={`/app/api/v1/organizations/${orgId}/exports/${_id}/download`}>
                {said.download}
              </Download>
            ) : (
              <Chip tone={status === "failed" ? "bad" : "accent"}>{statuses[status]}</Chip>
            )}
          </Row>
        ))}
        <Row>
          <Button busy={request.isPending} onClick={start}>
            {said.start}
          </Button>
        </Row>
      </Stack>
    </Card>
  );
}
