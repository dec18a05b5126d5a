/** Adds distinct visitors to the sketch of a row of figures, which is cached between batches in its stored form. */
import { addHash, createSketch, decodeSketch, encodeSketch, mergeInto, PRECISION, SketchFormatError } from "../uniques";
import { encodedWith } from "../uniques-encoded";

/**
 * Returns the sketch with the visitors added. May change and return `kept`. A stored sketch that cannot be read is
 * reported to `onDamage` and started anew.
 */
export function withVisitors(
  kept: Uint8Array | null,
  hashes: BigUint64Array,
  onDamage: (error: SketchFormatError) => void,
): Uint8Array | null {
  if (hashes.length === 0) return kept;
  return encodedWith(kept, hashes) ?? rebuiltSketch(kept, hashes, onDamage);
}

/**
 * Rebuilds the sketch. Keys that a former release stored continue at the current precision; its registers keep theirs
 * until the hour or day of the row is over.
 */
function rebuiltSketch(kept: Uint8Array | null, hashes: BigUint64Array, onDamage: (error: SketchFormatError) => void) {
  const sketch = createSketch(PRECISION);
  try {
    if (kept) mergeInto(sketch, decodeSketch(kept));
  } catch (error) {
    if (!(error instanceof SketchFormatError)) throw error;
    onDamage(error);
  }
  for (const hash of hashes) addHash(sketch, hash);
  return encodeSketch(sketch);
}
