/** The latest visits as they come, each with the reason why it went where it did. */
import { Pause, Play, Radio } from "lucide-react";
import { useState } from "react";
import { Route, useLocation, useSearchParams } from "wouter";
import { useKeys } from "../shell/keys";
import { Button, LinkButton } from "../ui/button";
import { Tick } from "../ui/choice";
import { Empty, Failure, Notice, Skeleton } from "../ui/data";
import { Card, Screen, Text } from "../ui/layout";
import { VirtualRows } from "../ui/virtual-rows";
import { words } from "../words";
import { pauseSecondsOf, useLatest } from "./queries";
import { VisitRow } from "./row";
import { WhyDialog } from "./why";

const ROW_PX = 57;

export default function LiveScreen() {
  const { live } = words;
  const [isPaused, setPaused] = useState(false);
  const [params, setParams] = useSearchParams();
  const includeBots = params.get("bots") !== "no";
  return (
    <Screen
      title={words.screens.live}
      actions={
        <>
          <Tick
            isSwitch
            label={live.bots}
            checked={includeBots}
            onChange={(isOn) => setParams(isOn ? {} : { bots: "no" })}
          />
          <Button icon={isPaused ? Play : Pause} onClick={() => setPaused(!isPaused)}>
            {isPaused ? live.resume : live.pause}
          </Button>
        </>
      }
    >
      <Text soft>{isPaused ? live.paused : live.running}</Text>
      <Latest isPaused={isPaused} includeBots={includeBots} />
      <Route path="/live/:clickId">{({ clickId }) => <Why clickId={clickId} />}</Route>
    </Screen>
  );
}

function Why({ clickId }: { clickId: string }) {
  const [, navigate] = useLocation();
  return <WhyDialog clickId={clickId} onClose={() => navigate(`/live${location.search}`)} />;
}

function Latest(asked: { isPaused: boolean; includeBots: boolean }) {
  const { live } = words;
  const { data, error, refetch } = useLatest(asked);
  // By its id: it moves down as others come.
  const [chosen, setChosen] = useState<string>();
  const [, navigate] = useLocation();
  const current = data?.findIndex(({ _id }) => _id === chosen) ?? -1;
  const step = (by: number) => setChosen(data?.[Math.max(0, Math.min(data.length - 1, current + by))]?._id);
  const open = () => chosen && navigate(`/live/${chosen}${location.search}`);
  useKeys({ j: () => step(1), k: () => step(-1), o: open });
  const wait = pauseSecondsOf(error);
  const failed =
    wait !== undefined ? (
      <Notice>{live.slower(wait)}</Notice>
    ) : error ? (
      <Failure error={error} onRetry={() => void refetch()} />
    ) : null;
  if (!data) return failed ?? <Card padded={false}>{<Skeleton rows={8} />}</Card>;
  return (
    <>
      {failed}
      <Card padded={false}>
        {data.length > 0 ? (
          <VirtualRows rows={data} rowPx={ROW_PX} label={live.list} keyOf={({ _id }) => _id} current={current}>
            {(click, index) => <VisitRow click={click} isCurrent={index === current} />}
          </VirtualRows>
        ) : (
          <Empty
            icon={Radio}
            title={live.empty.title}
            text={live.empty.text}
            action={<LinkButton to="/links">{live.empty.toLinks}</LinkButton>}
          />
        )}
      </Card>
    </>
  );
}
