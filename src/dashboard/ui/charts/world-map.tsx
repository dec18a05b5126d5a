/** Countries by count: the darker, the more. A list beside the map shows the same counts. */
import { classes } from "../classes";
import { countText } from "../format";
import { countryPaths } from "./world-paths" with { type: "macro" };

interface WorldMapProps {
  /** By ISO 3166-1 alpha-2 code. */
  counts: ReadonlyMap<string, number>;
  nameOf(code: string): string;
  onChoose(code: string): void;
  /** Countries where something has just happened. */
  fresh?: ReadonlySet<string> | undefined;
}

const { width, height, paths } = countryPaths();

export default function WorldMap({ counts, nameOf, onChoose, fresh }: WorldMapProps) {
  const most = Math.max(1, ...counts.values());
  const isFresh = (code: string | null) => code !== null && fresh?.has(code) === true;
  // Fresh countries are drawn last, so that nothing covers them. `paths` is used only once, because the bundler
  // inlines it at every use.
  const drawn = paths.toSorted(([one], [other]) => Number(isFresh(one)) - Number(isFresh(other)));
  return (
    <svg className="map" viewBox={`0 0 ${width} ${height}`} aria-hidden>
      {drawn.map(([code, path]) => {
        const count = code === null ? 0 : (counts.get(code) ?? 0);
        const key = code ?? path;
        if (code === null || count === 0) return <path key={key} className="map-land" d={path} />;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: a button in the list does the same
          <path
            key={key}
            className={classes("map-land some", isFresh(code) && "fresh")}
            d={path}
            fillOpacity={0.2 + 0.8 * Math.sqrt(count / most)}
            onClick={() => onChoose(code)}
          >
            <title>{`${nameOf(code)} · ${countText(count)}`}</title>
          </path>
        );
      })}
    </svg>
  );
}
