/** Range, filters, and the export of what is shown. */
import { Download as DownloadIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { useClicked } from "../links/clicked";
import { useDomains } from "../links/domains";
import { useLink } from "../links/queries";
import { useDebounced } from "../shell/debounced";
import { useOrg } from "../shell/session";
import { Button, Download } from "../ui/button";
import { Segments } from "../ui/charts/segments";
import { Tick } from "../ui/choice";
import { Chip } from "../ui/data";
import { TextField } from "../ui/field";
import { Row, Stack } from "../ui/layout";
import { computedLink } from "./computed-links";
import { FILTERS, type FigureQueryState, type Filter } from "./figure-query";
import { valueName } from "./names";
import { exportUrl, useDeletedLink, useOverview } from "./queries";
import { analyticsWords as words } from "./words";

const RANGES = ["24h", "7d", "30d", "90d", "custom"] as const;

export function Controls({ asked }: { asked: FigureQueryState }) {
  const { analytics } = words;
  const { _id: orgId } = useOrg();
  return (
    <Stack gap={2}>
      <Row wrap apart gap={3}>
        <Segments
          label={analytics.range}
          value={asked.rangeName}
          options={RANGES.map((name) => [name, analytics.ranges[name]] as const)}
          onChange={(name) => (name === "custom" ? asked.setDays(asked.days) : asked.setRange(name))}
        />
        <Row gap={3}>
          <Tick isSwitch label={analytics.bots} checked={asked.includeBots} onChange={asked.setBots} />
          <Download icon={DownloadIcon} href={exportUrl(orgId, asked)}>
            {analytics.export}
          </Download>
        </Row>
      </Row>
      {asked.rangeName === "custom" ? <Days asked={asked} /> : null}
      <Chips asked={asked} />
    </Stack>
  );
}

function Days({ asked: { days, setDays } }: { asked: FigureQueryState }) {
  const { analytics } = words;
  const set = (name: "from" | "to") => (day: string) => setDays({ ...days, [name]: day });
  return (
    <Row wrap gap={3}>
      <DayField label={analytics.from} value={days.from} max={days.to} onChange={set("from")} />
      <DayField label={analytics.to} value={days.to} min={days.from} onChange={set("to")} />
    </Row>
  );
}

const TYPED_MS = 600;

/** While a year is typed, its first digits are a year as well. */
const isWholeDay = (day: string): boolean => day > "1000";

interface DayFieldProps {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange(day: string): void;
}

/** Applies a whole day shortly after the last keystroke. */
function DayField({ value, onChange, ...field }: DayFieldProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
  }
  const day = useDebounced(typed, TYPED_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the address alone sets no other range
  useEffect(() => {
    if (day !== value && isWholeDay(day)) onChange(day);
  }, [day]);
  return <TextField {...field} type="date" value={typed} onChange={(day) => day && setTyped(day)} />;
}

function Chips({ asked }: { asked: FigureQueryState }) {
  const { analytics } = words;
  const { filters, linkId, toggle, clear } = asked;
  const chosen = FILTERS.filter((name) => !(name === "linkId" && linkId)).flatMap((name) =>
    (filters[name] ?? []).map((value) => ({ name, value })),
  );
  if (chosen.length === 0) return null;
  return (
    <Row wrap gap={2}>
      {chosen.map(({ name, value }) => (
        <Chip key={`${name} ${value}`} tone="accent" onRemove={() => toggle(name, value)}>
          <Filtered asked={asked} name={name} value={value} />
        </Chip>
      ))}
      <Button small kind="quiet" onClick={clear}>
        {analytics.clearFilters}
      </Button>
    </Row>
  );
}

interface FilteredProps {
  asked: FigureQueryState;
  name: Filter;
  value: string;
}

function Filtered({ asked, name, value }: FilteredProps) {
  const { data: link } = useLink(name === "rule" ? computedLink(asked) : undefined);
  if (name === "linkId") return <FilteredLink linkId={value} />;
  if (name === "domainId") return <FilteredDomain domainId={value} />;
  if (name === "split") return <FilteredSplit asked={asked} value={value} />;
  return words.analytics.filteredBy(words.analytics.dimensions[name], valueName(name, value, link?.rules));
}

/** The figures know what a target was called, also once it is deleted. */
function FilteredSplit({ asked, value }: Pick<FilteredProps, "asked" | "value">) {
  const { analytics } = words;
  const label = useOverview(asked).data?.bySplit?.find(({ split }) => split === value)?.label;
  return analytics.filteredBy(analytics.dimensions.split, label ?? valueName("split", value));
}

function FilteredDomain({ domainId }: { domainId: string }) {
  const { analytics } = words;
  const domain = useDomains().data?.find(({ _id }) => _id === domainId);
  return analytics.filteredBy(analytics.dimensions.domainId, domain?.hostname ?? domainId);
}

function FilteredLink({ linkId }: { linkId: string }) {
  const { analytics } = words;
  const { name, isDeleted } = useClicked(linkId);
  const deleted = useDeletedLink(isDeleted ? linkId : undefined).data;
  const deletedName = deleted && analytics.deletedLink(deleted.title || deleted.slug);
  return analytics.filteredBy(analytics.dimensions.linkId, name ?? deletedName ?? linkId);
}
