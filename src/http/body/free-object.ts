/** Limits of free-form objects, such as `deepLinkPayload` and `metadata`. */

const BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 32;

/** Returns the faults in the size and depth of a free-form object, each with its field. */
export function checkFreeObject(field: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const faults: string[] = [];
  if (Buffer.byteLength(JSON.stringify(value)) > BYTES_MAX) faults.push(`${field}: expected at most 16 KB`);
  if (isDeeper(value, DEPTH_MAX)) faults.push(`${field}: expected at most ${DEPTH_MAX} levels`);
  return faults;
}

/** Returns true if objects and arrays are nested in more than `levels` levels. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
