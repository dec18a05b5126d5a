/** Where the visits in the list come from, as a map or a table. Selecting a country filters the list. */
import { Map as MapIcon, Table2 } from "lucide-react";
import { useState } from "react";
import { countryName } from "../analytics/display-names";
import { useKeys } from "../shell/keys";
import { IconButton } from "../ui/button";
import { Bars } from "../ui/charts/bars";
import { Countries } from "../ui/charts/map";
import { Card, Stack, Text } from "../ui/layout";
import type { Click } from "./queries";
import { liveWords as words } from "./words";

interface VisitMapProps {
  clicks: readonly Click[];
  /** Country that the list is filtered by. */
  chosen: string | null;
  onChoose(code: string): void;
  isTable: boolean;
  onTurn(): void;
}

export function VisitMap({ clicks, chosen, onChoose, isTable, onTurn }: VisitMapProps) {
  const { live } = words;
  const fresh = useFresh(clicks);
  useKeys({ t: onTurn });
  const counts = new Map<string, number>();
  for (const { country } of clicks) if (country) counts.set(country, (counts.get(country) ?? 0) + 1);
  const bars = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([code, count]) => ({
      ...{ key: code, text: countryName(code), count, isChosen: code === chosen },
      onChoose: () => onChoose(code),
    }));
  return (
    <Card
      title={live.countries}
      actions={
        <IconButton
          small
          icon={isTable ? MapIcon : Table2}
          label={isTable ? live.asMap : words.ui.asTable}
          aria-keyshortcuts="t"
          onClick={onTurn}
        />
      }
    >
      <Stack gap={2}>
        {isTable ? (
          <Bars label={live.countries} bars={bars} total={clicks.length} />
        ) : (
          <Countries counts={counts} nameOf={countryName} onChoose={onChoose} fresh={fresh} />
        )}
        <Text soft small>
          {live.countriesOf(clicks.length)}
        </Text>
      </Stack>
    </Card>
  );
}

/** Returns the countries of the latest new visits; visits present at the start do not count. */
function useFresh(clicks: readonly Click[]): ReadonlySet<string> {
  const [seen, setSeen] = useState({ clicks, fresh: new Set<string>() });
  if (seen.clicks === clicks) return seen.fresh;
  const known = new Set(seen.clicks.map(({ _id }) => _id));
  const come = clicks.filter(({ _id }) => !known.has(_id));
  const fresh = come.length > 0 ? new Set(come.flatMap(({ country }) => country ?? [])) : seen.fresh;
  setSeen({ clicks, fresh });
  return fresh;
}
