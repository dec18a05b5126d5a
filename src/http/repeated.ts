/** Reads query fields that can be repeated from the URL itself, because Elysia would split their values at commas. */
import { FILTER_NAMES, type FilterName } from "@/contract/analytics/analytics-filters";
import { hasLength } from "@/contract/schema";
import { invalid } from "./errors";

export function readRepeatedParameters<Name extends string>(
  url: string,
  names: readonly Name[],
  { valuesMax, lengthMax }: { valuesMax: number; lengthMax(name: Name): number },
): { [Key in Name]?: readonly string[] } {
  const query = queryOf(url);
  const found: { [Key in Name]?: readonly string[] } = {};
  const faults: string[] = [];
  for (const name of names) {
    const values = [...new Set(query.getAll(name))];
    if (values.length > valuesMax) faults.push(`${name}: expected at most ${valuesMax} values`);
    if (values.some((value) => value.includes("\0") || !value.isWellFormed())) faults.push(`${name}: expected text`);
    const most = lengthMax(name);
    if (!values.every((value) => hasLength(value, 0, most)))
      faults.push(`${name}: expected at most ${most} characters`);
    if (values.length > 0) found[name] = values;
  }
  if (faults.length > 0) throw invalid(faults);
  return found;
}

/**
 * Throws 400 for filters of figures that an operation does not have, and for more than one value of those that it has:
 * ignoring them would answer with figures of something else. An id in capitals is the same id.
 */
export function refuseOtherFilters({ url }: Request, own: readonly FilterName[]): void {
  const query = queryOf(url);
  const faults = FILTER_NAMES.flatMap((name) => {
    const values = new Set(query.getAll(name).map((value) => value.toLowerCase()));
    if (own.includes(name)) return values.size > 1 ? [`${name}: expected a single value here`] : [];
    return values.size > 0 ? [`${name}: this operation can be filtered only by ${own.join(" and ")}`] : [];
  });
  if (faults.length > 0) throw invalid(faults);
}

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
}
