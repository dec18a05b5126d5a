/** Distinct visitors by bucket and over the whole range, out of sketches and single visitors. */
import {
  addHash,
  createSketch,
  decodeSketch,
  estimate,
  mergeInto,
  ORGANIZATION_PRECISION,
  type Sketch,
} from "@/core/uniques";
import type { EdgeVisitor, VisitorSketch } from "./queries/visitors";

export interface UniqueVisitors {
  total: number;
  /** By start of the bucket; buckets without any are absent. */
  byBucket: Map<number, number>;
}

/** Sketches of links fold the total down to their own precision, when they hold so many that it matters. */
export function countUniques(sketches: VisitorSketch[], edgeVisitors: EdgeVisitor[]): UniqueVisitors {
  const buckets = new Map<number, Sketch>();
  for (const { at, sketch } of sketches) mergeInto(bucket(buckets, at), decodeSketch(sketch));
  for (const { at, visitor } of edgeVisitors) addHash(bucket(buckets, at), visitor);
  const total = createSketch(ORGANIZATION_PRECISION);
  for (const sketch of buckets.values()) mergeInto(total, sketch);
  return { total: estimate(total), byBucket: new Map([...buckets].map(([at, sketch]) => [at, estimate(sketch)])) };
}

function bucket(buckets: Map<number, Sketch>, at: number): Sketch {
  const known = buckets.get(at);
  if (known) return known;
  const created = createSketch(ORGANIZATION_PRECISION);
  buckets.set(at, created);
  return created;
}
