import type { AppProfileUpdate } from "@/contract/apps";
import { normaliseApp } from "@/core/app-fields";
import { checkPathPrefix } from "@/core/names/slug";
import { invalid } from "@/http/errors";
import type { AppValues } from "./store";

/** Returns the given fields in the form in which they are stored; null clears a field. Throws 400 with every fault. */
export function checkedValues(input: AppProfileUpdate): Partial<AppValues> {
  const faults: string[] = [];
  const { name, pathPrefix, ios, android, fallback, iconUrl, subtitle } = normaliseApp(input, faults);
  if (name?.trim() === "") faults.push("name: must not be blank");
  const values = {
    ...(name !== undefined && { name: name.trim() }),
    ...(pathPrefix !== undefined && { pathPrefix: pathPrefix && checkedPrefix(pathPrefix, faults) }),
    ...(ios !== undefined && { ios }),
    ...(android !== undefined && { android }),
    ...(fallback !== undefined && { fallback: fallback ?? ("store" as const) }),
    ...(iconUrl !== undefined && { iconUrl }),
    ...(subtitle !== undefined && { subtitle }),
  };
  if (faults.length > 0) throw invalid(faults);
  return values;
}

function checkedPrefix(text: string, faults: string[]): string | null {
  const checked = checkPathPrefix(text);
  if (checked.ok) return checked.prefix || null;
  faults.push(`pathPrefix: ${checked.fault}`);
  return null;
}
