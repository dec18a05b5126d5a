/**
 * Chooses which old addresses a verification requests: the first ones, until enough were requested or too many did not
 * respond.
 */
import type { ImportCounts } from "@/contract/links/imports";
import { isShutDown } from "@/core/imports/addresses";
import type { LinkDifference, NotAsked, OldAddressResponse } from "@/core/imports/differences";
import type { OldLink } from "@/core/imports/old-link";
import type { LedgerRow } from "../ledger";
import type { ImportJob } from "../store";
import { createOldAddresses, type OldAddresses, type OldAddressOptions } from "./ask-old";

export interface AskedRow {
  row: LedgerRow;
  old: OldLink;
  /** Undefined if there is nothing to compare with. */
  differences: LinkDifference[] | undefined;
  /** URLs that a desktop should be sent to; empty if unknown. */
  targets: string[];
  asked: OldAddressResponse | NotAsked | null;
}

export interface Budget {
  addresses: OldAddresses;
  asked: number;
  unanswered: number;
}

const ASKED_MAX = 1_000;
const UNANSWERED_MAX = 20;

/** Returns null if no address, or no further one, is to be requested. */
export function budgetOf({ asksOld, counts }: ImportJob, options: OldAddressOptions): Budget | null {
  const { asked = 0, unanswered = 0 } = counts;
  const budget = { asked, unanswered, addresses: createOldAddresses(options) };
  return asksOld && hasRoom(budget) ? budget : null;
}

const hasRoom = ({ asked, unanswered }: Omit<Budget, "addresses">): boolean =>
  asked < ASKED_MAX && unanswered < UNANSWERED_MAX;

/** Stores in each row the response of its old address. Returns the counts to add. */
export async function askRows(
  budget: Budget,
  rows: AskedRow[],
  renew: () => Promise<void>,
  signal: AbortSignal,
): Promise<Pick<ImportCounts, "asked" | "unanswered" | "leadHere">> {
  const before = { asked: budget.asked, unanswered: budget.unanswered };
  let leadHere = 0;
  for (const row of rows) {
    const { address } = row.old;
    if (signal.aborted || !hasRoom(budget)) break;
    if (!address?.host || isShutDown(address.host)) continue;
    if (await budget.addresses.leadsHere(address.host)) {
      leadHere++;
      row.asked = { notAsked: leadsHere(address.host) };
      continue;
    }
    if (row.targets.length === 0) continue;
    await renew();
    const answer = await budget.addresses.ask(address.host, address.path);
    budget.asked++;
    if (answer === "unanswered") budget.unanswered++;
    else row.asked = answer;
  }
  return { asked: budget.asked - before.asked, unanswered: budget.unanswered - before.unanswered, leadHere };
}

const leadsHere = (host: string): string =>
  `${host} leads here already: its answer would be that of your link, and count as a visit`;
