import { failureText } from "@/dashboard/api/failures";
import { Button } from "@/dashboard/ui/button";
import { Failure, Skeleton } from "@/dashboard/ui/data";
import { momentText } from "@/dashboard/ui/format";
import { Text } from "@/dashboard/ui/layout";
import { toast } from "@/dashboard/ui/toasts";
import { useReadClick, useRecentClicks } from "./queries";
import { type Visitor, visitorOf } from "./visitor";
import { linkRouteWords as words } from "./words";

/** The latest clicks of the link; choosing one copies its facts to the simulator. */
export function RealClicks({ linkId, onChoose }: { linkId: string; onChoose(visitor: Visitor): void }) {
  const { simulator } = words.route;
  const { data, error, refetch } = useRecentClicks(linkId, true);
  const read = useReadClick();
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={3} />;
  if (data.clicks.length === 0) return <Text soft>{simulator.noClicks}</Text>;
  const choose = (clickId: string) =>
    read.mutate(clickId, {
      goOn: (click) => onChoose(visitorOf(click)),
      onError: (fault) => toast({ text: failureText(fault), isFailure: true }),
    });
  return (
    <>
      <Text soft small>
        {simulator.clicksHint}
      </Text>
      <ul aria-label={simulator.clicks}>
        {data.clicks.map(({ _id, occurredAt, city, country, deviceModel, os, browser }) => (
          <li key={_id}>
            <Button small kind="quiet" busy={read.isPending && read.variables === _id} onClick={() => choose(_id)}>
              {simulator.click(momentText(occurredAt), city ?? country ?? "", deviceModel ?? os ?? browser ?? "")}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
