/** Breakdowns of the clicks, in cards with tabs. All but the links come from the overview. */
import { Button } from "../ui/button";
import { Segments } from "../ui/charts/segments";
import { Week } from "../ui/charts/week";
import { pageLanguage } from "../ui/format";
import { Card, Grid, Stack, Text } from "../ui/layout";
import { Conversions } from "./conversions";
import { CountryMap } from "./country-map";
import type { FigureQueryState } from "./figure-query";
import type { Overview } from "./queries";
import { type ListedBy, listedIn, Rows } from "./rows";
import { TopLinks } from "./top-links";
import { analyticsWords as words } from "./words";

const GROUPS = {
  places: ["country", "region", "city", "language"],
  machines: ["device", "os", "browser"],
  sources: ["referrer"],
  campaigns: ["utmSource", "utmMedium", "utmCampaign", "utmTerm", "utmContent"],
  links: ["linkId", "domain", "tag"],
  routes: ["rule", "split", "destination"],
} as const satisfies Record<string, readonly (ListedBy | "linkId")[]>;
type Group = keyof typeof GROUPS;

/** Maximum length of the overview's lists; a list of this length may be incomplete. */
const LISTED_MAX = 10;

interface CardsProps {
  asked: FigureQueryState;
  overview: Overview;
}

export const Cards = ({ asked, overview }: CardsProps) => (
  <Grid wide>
    <GroupCard group="places" asked={asked} overview={overview} />
    <GroupCard group="machines" asked={asked} overview={overview} />
    <GroupCard group="sources" asked={asked} overview={overview} />
    <GroupCard group="campaigns" asked={asked} overview={overview} />
    {asked.linkId ? null : <GroupCard group="links" asked={asked} overview={overview} />}
    <GroupCard group="routes" asked={asked} overview={overview} />
    {overview.byHourOfWeek ? <WeekCard counts={overview.byHourOfWeek} /> : null}
    <Conversions overview={overview} />
  </Grid>
);

function GroupCard({ group, asked, overview }: CardsProps & { group: Group }) {
  const { analytics } = words;
  const tabs: readonly (ListedBy | "linkId")[] = GROUPS[group];
  const wanted = asked.view.get(group);
  const by = tabs.find((each) => each === wanted) ?? tabs[0];
  if (by === undefined) return null;
  return (
    <Card title={analytics.groups[group]}>
      <Stack gap={2}>
        {tabs.length > 1 ? (
          <Segments
            label={analytics.groups[group]}
            value={by}
            options={tabs.map((each) => [each, analytics.dimensions[each]] as const)}
            onChange={(each) => asked.setView(group, each === tabs[0] ? "" : each, true)}
          />
        ) : null}
        {by === "linkId" ? (
          <TopLinks asked={asked} overview={overview} />
        ) : (
          <Listed by={by} asked={asked} overview={overview} />
        )}
      </Stack>
    </Card>
  );
}

function Listed({ by, asked, overview }: CardsProps & { by: ListedBy }) {
  const { analytics } = words;
  const rows = listedIn(overview, by);
  if (!rows) return <Text soft>{analytics.notKnown}</Text>;
  return (
    <>
      {by === "country" ? <CountryMap asked={asked} overview={overview} listedMax={LISTED_MAX} /> : null}
      <Rows by={by} asked={asked} rows={rows} total={overview.totalClicks} />
      {rows.length < LISTED_MAX ? null : (
        <Button small kind="quiet" onClick={() => asked.setView("more", by)}>
          {analytics.more}
        </Button>
      )}
    </>
  );
}

const weekday = new Intl.DateTimeFormat(pageLanguage, { weekday: "short", timeZone: "UTC" });
/** Monday first. */
const DAYS = Array.from({ length: 7 }, (_, index) => weekday.format(Date.UTC(2024, 0, 1 + index)));

const WeekCard = ({ counts }: { counts: NonNullable<Overview["byHourOfWeek"]> }) => (
  <Card title={words.analytics.week}>
    <Stack gap={2}>
      <Week
        label={words.analytics.weekSaid}
        days={DAYS}
        counts={new Map(counts.map(({ hourOfWeek, count }) => [hourOfWeek, count]))}
      />
      <Text soft small>
        {words.analytics.weekSaid}
      </Text>
    </Stack>
  </Card>
);
