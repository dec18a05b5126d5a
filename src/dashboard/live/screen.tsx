/** The latest visits as they arrive, each with the reason for its destination. */
import { Pause, Play, Radio } from "lucide-react";
import { useMemo, useState } from "react";
import { Route, useLocation, useSearchParams } from "wouter";
import { countryName } from "../analytics/display-names";
import { useAllClicked } from "../links/clicked";
import { useKeys } from "../shell/keys";
import { Button, LinkButton } from "../ui/button";
import { Tick } from "../ui/choice";
import { Chip, Empty, Failure, Notice, Skeleton } from "../ui/data";
import { Card, Columns, Row, Screen, Stack, Text } from "../ui/layout";
import { VirtualRows } from "../ui/virtual-rows";
import { VisitMap } from "./map";
import { type Click, pauseSecondsOf, useLatest } from "./queries";
import { VisitRow } from "./row";
import { WhyDialog } from "./why";
import { liveWords as words } from "./words";

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
            onChange={(isOn) =>
              setParams((before) => {
                const next = new URLSearchParams(before);
                if (isOn) next.delete("bots");
                else next.set("bots", "no");
                return next;
              })
            }
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
  return <WhyDialog clickId={clickId} onClose={() => navigate(`/live${location.search}`, { replace: true })} />;
}

function Latest(asked: { isPaused: boolean; includeBots: boolean }) {
  const { live } = words;
  const { data, error, refetch } = useLatest(asked);
  const [params, setParams] = useSearchParams();
  const country = params.get("country");
  const put = (name: string, value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  const wait = pauseSecondsOf(error);
  const failed =
    wait !== undefined ? (
      <Notice>{live.slower(wait)}</Notice>
    ) : error ? (
      <Failure error={error} onRetry={() => void refetch()} />
    ) : null;
  if (!data) return failed ?? <Card padded={false}>{<Skeleton rows={8} />}</Card>;
  const isTable = params.get("as") === "table";
  return (
    <>
      {failed}
      {data.length === 0 ? (
        <Nothing />
      ) : (
        <Columns asideFirst>
          <Stack gap={2}>
            {country ? (
              <Row>
                <Chip tone="accent" onRemove={() => put("country", "")}>
                  {countryName(country)}
                </Chip>
              </Row>
            ) : null}
            <Visits of={data} country={country} />
          </Stack>
          <VisitMap
            clicks={data}
            chosen={country}
            onChoose={(code) => put("country", code === country ? "" : code)}
            isTable={isTable}
            onTurn={() => put("as", isTable ? "" : "table")}
          />
        </Columns>
      )}
    </>
  );
}

function Visits({ of, country }: { of: readonly Click[]; country: string | null }) {
  const clicked = useAllClicked(useMemo(() => of.map(({ linkId }) => linkId), [of]));
  const clicks = country ? of.filter((click) => click.country === country) : of;
  // The id, because the index changes as visits arrive.
  const [chosen, setChosen] = useState<string>();
  const [, navigate] = useLocation();
  const current = clicks.findIndex(({ _id }) => _id === chosen);
  const step = (by: number) => setChosen(clicks[Math.max(0, Math.min(clicks.length - 1, current + by))]?._id);
  const open = () => chosen && navigate(`/live/${chosen}${location.search}`);
  useKeys({ j: () => step(1), k: () => step(-1), o: open });
  return (
    <Card padded={false}>
      {clicks.length === 0 ? <Empty icon={Radio} title={words.live.noneFromThere} /> : null}
      <VirtualRows rows={clicks} rowPx={ROW_PX} label={words.live.list} keyOf={({ _id }) => _id} current={current}>
        {(click, index) => <VisitRow click={click} clicked={clicked.get(click.linkId)} isCurrent={index === current} />}
      </VirtualRows>
    </Card>
  );
}

const Nothing = () => {
  const { empty } = words.live;
  return (
    <Card padded={false}>
      <Empty
        icon={Radio}
        title={empty.title}
        text={empty.text}
        action={<LinkButton to="/links">{empty.toLinks}</LinkButton>}
      />
    </Card>
  );
};
