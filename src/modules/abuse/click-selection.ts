/** Selects the suspicious clicks of a request by address, link and time. */
import { and, eq, gte, lt, type SQL } from "drizzle-orm";
import { isUuid } from "@/core/ids";
import { parseInstant } from "@/core/time/instant";
import { invalid, notFoundInField } from "@/http/errors";
import { clicks } from "@/platform/db/schema";
import { visitorNumber } from "@/platform/visitor";

export interface ChosenInput {
  addressId?: string;
  linkId?: string;
  from?: string;
  to?: string;
}

export interface ClickSelection {
  addressId?: string;
  linkId?: string;
  from?: Date;
  to?: Date;
}

/** Throws 400 for an invalid range, and 404 for a link id that cannot exist. */
export function parseSelection({ addressId, linkId, from, to }: ChosenInput): ClickSelection {
  const [start, end] = [instantOf(from), instantOf(to)];
  if (start && end && start >= end) throw invalid(["from: must be before to"]);
  if (linkId !== undefined && !isUuid(linkId)) throw notFoundInField("linkId", "link");
  return { addressId, linkId, from: start, to: end };
}

/** The request's schema has already checked the format. */
function instantOf(text: string | undefined): Date | undefined {
  const instant = text === undefined ? undefined : parseInstant(text);
  return instant === undefined ? undefined : new Date(instant);
}

/** Returns the condition to use together with one on the organization. */
export const selectionCondition = ({ addressId, linkId, from, to }: ClickSelection): SQL | undefined =>
  and(
    addressId === undefined ? undefined : eq(clicks.addressKey, visitorNumber(addressId)),
    linkId === undefined ? undefined : eq(clicks.linkId, linkId),
    from && gte(clicks.occurredAt, from),
    to && lt(clicks.occurredAt, to),
  );
