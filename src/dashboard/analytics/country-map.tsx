import { Countries } from "../ui/charts/map";
import { countryName } from "./display-names";
import type { FigureQueryState } from "./figure-query";
import { type Overview, useBreakdown } from "./queries";
import { listedIn } from "./rows";

interface CountryMapProps {
  asked: FigureQueryState;
  overview: Overview;
  /** Maximum length of the overview's lists; a list of this length may be incomplete. */
  listedMax: number;
}

export function CountryMap({ asked, overview, listedMax }: CountryMapProps) {
  const listed = listedIn(overview, "country") ?? [];
  const { data } = useBreakdown(asked, "country", listed.length >= listedMax);
  const counts = new Map((data?.rows ?? listed).map(({ value, count }) => [value, count]));
  return <Countries counts={counts} nameOf={countryName} onChoose={(code) => asked.toggle("country", code)} />;
}
