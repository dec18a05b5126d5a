/**
 * `verify-rollups`: prints every figure that differs from the raw rows, one per line, and how many there are;
 * corrects them if asked to.
 */
import { parseArgs } from "node:util";
import { plural } from "@/core/plural";
import { parseInstant } from "@/core/time/instant";
import type { Span } from "@/core/time/time-range";
import { type VerifySummary, verifyFigures } from "@/figures/verify/verify";
import type { CounterDifference } from "@/figures/verify/verify-counters";
import type { Difference } from "@/figures/verify/verify-day";
import type { Database } from "@/platform/db/client";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { organizationNamed } from "./find";
import { type CommandOutcome, noOrganization } from "./outcome";

export async function verifyRollups(
  { db, sql }: Pick<Database, "db" | "sql">,
  values: string[],
): Promise<CommandOutcome> {
  const asked = parse(values);
  if ("fault" in asked) return { ok: false, message: asked.fault };
  const { span, org, isRepairing } = asked;
  const organization = org === undefined ? undefined : await organizationNamed(db, org);
  if (org !== undefined && !organization) return noOrganization(org);
  const print = (difference: Difference | CounterDifference) => console.log(lineOf(difference));
  const summary = await verifyFigures(sql, { span, orgId: organization?.id, isRepairing, onDifference: print });
  return { ok: summary.differences === 0 || isRepairing, message: summaryOf(summary, isRepairing) };
}

function parse(values: string[]): { span: Partial<Span>; org?: string; isRepairing: boolean } | { fault: string } {
  const options = {
    from: { type: "string" },
    to: { type: "string" },
    org: { type: "string" },
    mend: { type: "boolean", default: false },
  } as const;
  try {
    const { from, to, org, mend } = parseArgs({ args: values, options }).values;
    const span = { from: instant("from", from), to: instant("to", to) };
    if (span.from !== undefined && span.to !== undefined && span.from >= span.to)
      return { fault: "--to: expected to be after --from; the day of --to itself is not checked" };
    return { span, org, isRepairing: mend };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Parses an instant; a day stands for its midnight in UTC. */
function instant(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (parsed === undefined) throw new Error(`--${name}: expected a day like 2026-11-21 or an ISO 8601 time`);
  return parsed;
}

function lineOf(difference: Difference | CounterDifference): string {
  const { orgId, linkId, metric, have, should } = difference;
  const whose = `${orgId}  ${linkId === WHOLE_ORGANIZATION ? "organization" : linkId}`;
  const what =
    "unit" in difference
      ? `${difference.unit} ${new Date(difference.start).toISOString()}  ${metric} ${difference.dimension} ${JSON.stringify(difference.value)}`
      : `counter  ${metric}`;
  return `${whose}  ${what}  ${have === null ? "stored value is unreadable" : `has ${have}`}, expected ${should}`;
}

function summaryOf({ organizations: orgs, days, differences, mended }: VerifySummary, isRepairing: boolean): string {
  const looked = `${plural(days, "day")} of ${plural(orgs, "organization")}: ${plural(differences, "difference")}`;
  return isRepairing ? `${looked}; hours, days and counters corrected: ${mended}` : looked;
}
