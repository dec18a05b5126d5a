/** Reads query fields that can be repeated from the URL itself, because Elysia would split their values at commas. */
import { hasLength } from "@/contract/schema";
import { invalid } from "./errors";

export function readRepeatedParameters<Name extends string>(
  url: string,
  names: readonly Name[],
  { valuesMax, lengthMax }: { valuesMax: number; lengthMax(name: Name): number },
): { [Key in Name]?: readonly string[] } {
  const start = url.indexOf("?");
  const query = new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
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
