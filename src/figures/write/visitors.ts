/** Distinct visitors of a row of figures, kept in memory between batches as they are stored. */
import { addHash, createSketch, decodeSketch, encodeSketch, mergeInto, PRECISION, SketchFormatError } from "../uniques";
import { encodedWith } from "../uniques-encoded";

/** `kept` may be what comes back, changed. A stored sketch that cannot be read is reported and begun anew. */
export function withVisitors(
  kept: Uint8Array | null,
  hashes: BigUint64Array,
  onDamage: (error: SketchFormatError) => void,
): Uint8Array | null {
  if (hashes.length === 0) return kept;
  return encodedWith(kept, hashes) ?? madeAnew(kept, hashes, onDamage);
}

/** Keys that a former release stored go on at today's precision; its registers keep theirs until the row's time is over. */
function madeAnew(kept: Uint8Array | null, hashes: BigUint64Array, onDamage: (error: SketchFormatError) => void) {
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
