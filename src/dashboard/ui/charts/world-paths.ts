/**
 * Computes the paths of the countries when the dashboard is built, so that the browser receives only the lines and
 * neither the borders' topology nor the projection code. Coordinates are in half pixels, so that whole numbers are
 * precise enough, and relative to the previous point.
 */
import { geoNaturalEarth1, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import world from "world-atlas/countries-110m.json";
import { countryCode } from "./country-codes";

const WIDTH = 1_280;
const HEIGHT = 640;
/** Left out: nobody lives there, and it takes up a sixth of the height. */
const ANTARCTICA = "AQ";

interface CountryPaths {
  width: number;
  height: number;
  /** By ISO 3166-1 alpha-2 code; null for areas without one. */
  paths: [code: string | null, path: string][];
}

export function countryPaths(): CountryPaths {
  const shapes = feature(world, world.objects.countries).features.flatMap((shape) => {
    const code = countryCode(String(shape.id));
    return code === ANTARCTICA ? [] : [{ code: code ?? null, shape }];
  });
  const all = { type: "FeatureCollection" as const, features: shapes.map(({ shape }) => shape) };
  const draw = geoPath(geoNaturalEarth1().fitSize([WIDTH, HEIGHT], all)).digits(0);
  return {
    width: WIDTH,
    height: HEIGHT,
    paths: shapes.map(({ code, shape }) => [code, fromLast(draw(shape) ?? "")]),
  };
}

type Point = readonly [x: number, y: number];

/** Makes the points of a path of `M`, `L` and `Z` commands relative to the previous point. */
function fromLast(path: string): string {
  const rings = path.split("Z").filter((ring) => ring !== "");
  return rings.map((ring) => ringOf(ring.slice(1).split("L").map(pointOf))).join("");
}

function pointOf(text: string): Point {
  const [x = 0, y = 0] = text.split(",").map(Number);
  return [x, y];
}

function ringOf([start = [0, 0], ...points]: Point[]): string {
  let [x, y] = start;
  const steps = points.flatMap(([nextX, nextY]): Point[] => {
    const step: Point = [nextX - x, nextY - y];
    [x, y] = [nextX, nextY];
    return step[0] === 0 && step[1] === 0 ? [] : [step];
  });
  return steps.length === 0 ? "" : `M${start}l${steps.map(([byX, byY]) => `${byX},${byY}`).join(" ")}z`;
}
