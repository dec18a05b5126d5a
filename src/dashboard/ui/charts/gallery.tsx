/** The components that show figures, for the gallery. */
import { useState } from "react";
import { DAY_MS } from "@/core/time/time-range";
import { countText, dayText } from "../format";
import { Card, Grid, Stack } from "../layout";
import { Bars } from "./bars";
import { Chart } from "./chart";
import { Countries } from "./map";
import { Numbers } from "./numbers";
import { Segments } from "./segments";
import { Week } from "./week";

const START = Date.UTC(2026, 0, 1);
const POINTS = [4, 9, 7, 12, 30, 22, 18, 25, 31, 28].map((value, index) => {
  const name = dayText(START + index * DAY_MS);
  return { tick: name, value, before: 20 - index, former: index < 3 ? 15 - index : 0, text: `${name}: ${value}` };
});
const TABS = [
  ["a", "Countries"],
  ["b", "Cities"],
] as const;
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const COUNTS = new Map(Array.from({ length: 168 }, (_, hour) => [hour, (hour * 7) % 24]));
const FRESH = new Set(["DE"]);
const BY_COUNTRY = new Map([
  ["DE", 120],
  ["BR", 60],
  ["IN", 5],
]);
const nothing = () => {};

export function ChartParts() {
  const [tab, setTab] = useState<"a" | "b">("a");
  const shared = { onChoose: nothing, isChosen: false };
  return (
    <>
      <Card padded={false}>
        <Numbers
          label="Numbers"
          tiles={[
            {
              ...shared,
              ...{ key: "a", title: "Clicks", value: countText(1_284), isChosen: true },
              change: { direction: "up", text: "12%", said: "Up 12%" },
            },
            {
              ...shared,
              ...{ key: "b", title: "Visitors", value: countText(960) },
              change: { direction: "down", text: "3%", said: "Down 3%" },
            },
            { ...shared, key: "c", title: "Not known", value: "–", disabled: true },
          ]}
        />
      </Card>
      <Card title="Chart">
        <Chart label="Clicks by day" points={POINTS} legend={{ value: "Clicks", former: "Before the import" }} />
      </Card>
      <Grid wide>
        <Card title="Bars">
          <Stack gap={2}>
            <Segments label="Places" value={tab} options={TABS} onChange={setTab} />
            <Bars
              label="Countries"
              total={200}
              bars={[
                { key: "DE", text: "Germany", count: 120, isChosen: true, onChoose: nothing },
                { key: "FR", text: "France", count: 60, onChoose: nothing },
                { key: "other", text: "A name that is too long for its line ".repeat(3), count: 20 },
              ]}
            />
          </Stack>
        </Card>
        <Card title="Map">
          <Countries counts={BY_COUNTRY} nameOf={(code) => code} onChoose={nothing} fresh={FRESH} />
        </Card>
        <Card title="Week">
          <Week label="Clicks by hour" days={DAYS} counts={COUNTS} />
        </Card>
      </Grid>
    </>
  );
}
