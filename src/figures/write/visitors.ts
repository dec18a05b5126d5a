/** Distinct visitors of a row of figures, as they are kept in memory between batches and as they are stored. */
import {
  addHash,
  createSketch,
  decodeSketch,
  encodedWith,
  encodeSketch,
  mergeInto,
  PRECISION,
  type Sketch,
  SketchFormatError,
} from "../uniques";

/** A sketch of few visitors is kept as it is stored, since there are many such. */
export type KeptVisitors = Sketch | Uint8Array | null;

const KEPT_STORED_BYTES_MAX = 300;

/** A stored sketch that cannot be read is reported and begun anew. */
export function withVisitors(
  kept: KeptVisitors,
  hashes: readonly bigint[],
  onDamage: (error: SketchFormatError) => void,
): { kept: KeptVisitors; stored: Uint8Array | null } {
  if (hashes.length === 0) return { kept, stored: isSketch(kept) ? encodeSketch(kept) : kept };
  const few = isSketch(kept) ? undefined : encodedWith(kept, hashes);
  if (few) return { kept: few, stored: few };
  const sketch = isSketch(kept) ? kept : decoded(kept, onDamage);
  for (const hash of hashes) addHash(sketch, hash);
  const stored = encodeSketch(sketch);
  return { kept: stored.length > KEPT_STORED_BYTES_MAX ? sketch : stored, stored };
}

/** Keys that a former release stored go on at today's precision; its registers keep theirs until the row's time is over. */
function decoded(stored: Uint8Array | null, onDamage: (error: SketchFormatError) => void): Sketch {
  const sketch = createSketch(PRECISION);
  if (!stored) return sketch;
  try {
    mergeInto(sketch, decodeSketch(stored));
  } catch (error) {
    if (!(error instanceof SketchFormatError)) throw error;
    onDamage(error);
  }
  return sketch;
}

const isSketch = (visitors: KeptVisitors): visitors is Sketch => visitors !== null && !(visitors instanceof Uint8Array);
