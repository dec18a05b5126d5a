/** Countries by how much comes from each: the darker, the more. A list with the same counts stands beside it. */
import { geoNaturalEarth1, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import world from "world-atlas/countries-110m.json";
import { countText } from "../format";
import { countryCode } from "./country-codes";

interface WorldMapProps {
  /** By ISO 3166-1 alpha-2. */
  counts: ReadonlyMap<string, number>;
  nameOf(code: string): string;
  onChoose(code: string): void;
}

const WIDTH = 640;
const HEIGHT = 320;
/** Nobody lives there, and it takes a sixth of the height. */
const ANTARCTICA = "AQ";

const shapes = feature(world, world.objects.countries).features.flatMap((shape) => {
  const code = countryCode(String(shape.id));
  return code === ANTARCTICA ? [] : [{ code, shape }];
});
const all = { type: "FeatureCollection" as const, features: shapes.map(({ shape }) => shape) };
const draw = geoPath(geoNaturalEarth1().fitSize([WIDTH, HEIGHT], all)).digits(1);
const drawn = shapes.map(({ code, shape }, index) => ({ key: `${index}`, code, path: draw(shape) ?? "" }));

export default function WorldMap({ counts, nameOf, onChoose }: WorldMapProps) {
  const most = Math.max(1, ...counts.values());
  return (
    <svg className="map" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
      {drawn.map(({ key, code, path }) => {
        const count = code === undefined ? 0 : (counts.get(code) ?? 0);
        if (code === undefined || count === 0) return <path key={key} className="map-land" d={path} />;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: a button in the list does the same
          <path
            key={key}
            className="map-land some"
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
