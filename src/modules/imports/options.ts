/** Checks the options of an import, which are sent with its file. */
import { ImportOptionsInput } from "@/contract/links/imports";
import type { Tenant } from "@/core/ids";
import { parseOldAddress } from "@/core/imports/addresses";
import { DROPPED_KEYS, unfitFaults } from "@/http/body/unfit";
import { unknownFieldFaults } from "@/http/body/unlisted-fields";
import { createBodyReader } from "@/http/body/validation";
import { HttpError, invalid, malformed } from "@/http/errors";
import { usableDomain } from "@/modules/addresses/service";
import type { Db } from "@/platform/db/tx";

const ENTRIES_MAX = 200;
const NAME_LENGTH_MAX = 255;

/** The fault of an import from anything that does not list visits. */
export const NO_VISITS_LISTED = "options.formerClicksByDay: only the API of Shlink lists the visits of links";

const read = createBodyReader(ImportOptionsInput);

/** Throws 400. */
export const parseOptions = (text: string): ImportOptionsInput => checkedOptions(jsonOf(text));

/** Throws 400. */
export function checkedOptions(value: unknown): ImportOptionsInput {
  const faults = unfitFaults(value);
  const outcome = read(value);
  if (!outcome.ok) throw invalid([...faults, ...outcome.faults].map((fault) => `options.${fault}`));
  const { mapping, domainMap } = outcome.value;
  faults.push(...unknownFieldFaults(ImportOptionsInput, outcome.value));
  faults.push(...namesFaults("mapping", mapping, true), ...namesFaults("domainMap", domainMap, false));
  if (faults.length > 0) throw invalid(faults.map((fault) => `options.${fault}`));
  return outcome.value;
}

function jsonOf(text: string): unknown {
  try {
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    throw malformed("The options are not valid JSON", [`options: ${error instanceof Error ? error.message : error}`]);
  }
}

function namesFaults(field: string, names: unknown, isNullable: boolean): string[] {
  const entries = Object.entries(names ?? {});
  if (entries.length > ENTRIES_MAX) return [`${field}: expected at most ${ENTRIES_MAX} entries`];
  return entries.flatMap(([name, value]) => {
    if (name.length > NAME_LENGTH_MAX || DROPPED_KEYS.has(name)) return [`${field}: a name is not allowed`];
    if (typeof value === "string" && value.length <= NAME_LENGTH_MAX) return [];
    return isNullable && value === null ? [] : [`${field}.${name}: expected text`];
  });
}

/**
 * Returns the map with hosts in the form in which they are compared. Throws 400 for an unverified domain, 404 for
 * another organization's.
 */
export async function checkedDomainMap(db: Db, tenant: Tenant, map: Record<string, string>) {
  const faults: string[] = [];
  const checked: Record<string, string> = {};
  let isMissing = false;
  for (const [host, id] of Object.entries(map)) {
    try {
      checked[comparedHost(host)] = (await usableDomain(db, tenant, id)).id;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      isMissing ||= error.status === 404;
      const details =
        error.status === 404
          ? ["there is no domain with this _id"]
          : (error.details ?? []).map((detail) => detail.replace(/^domainId: /, ""));
      faults.push(...details.map((detail) => `options.domainMap.${host}: ${detail}`));
    }
  }
  if (faults.length === 0) return checked;
  throw isMissing ? new HttpError(404, "There is no such domain", faults) : invalid(faults);
}

/** Addresses are read as URLs, which write a host in lower case and in ASCII. `*` stays as it is. */
const comparedHost = (host: string): string => parseOldAddress(host)?.host ?? host.toLowerCase();
