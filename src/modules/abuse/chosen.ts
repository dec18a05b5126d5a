/** Which suspicious clicks a request is about: from where, of which link, from when to when. */
import { and, eq, gte, lt, type SQL } from "drizzle-orm";
import { isUuid } from "@/core/ids";
import { parseInstant } from "@/core/time/instant";
import { invalid, notFound } from "@/http/errors";
import { clicks } from "@/platform/db/schema";
import { visitorNumber } from "@/platform/visitor";

export interface ChosenInput {
  addressId?: string;
  linkId?: string;
  from?: string;
  to?: string;
}

export interface Chosen {
  addressId?: string;
  linkId?: string;
  from?: Date;
  to?: Date;
}

/** Throws 400 for a range that makes no sense, and 404 for a link there cannot be. */
export function chosenBy({ addressId, linkId, from, to }: ChosenInput): Chosen {
  const [start, end] = [instantOf(from), instantOf(to)];
  if (start && end && start >= end) throw invalid(["from: must be before to"]);
  if (linkId !== undefined && !isUuid(linkId)) throw notFound("link");
  return { addressId, linkId, from: start, to: end };
}

/** The format is checked with the request. */
function instantOf(text: string | undefined): Date | undefined {
  const instant = text === undefined ? undefined : parseInstant(text);
  return instant === undefined ? undefined : new Date(instant);
}

/** Beside the condition that names the organization. */
export const areChosen = ({ addressId, linkId, from, to }: Chosen): SQL | undefined =>
  and(
    addressId === undefined ? undefined : eq(clicks.addressKey, visitorNumber(addressId)),
    linkId === undefined ? undefined : eq(clicks.linkId, linkId),
    from && gte(clicks.occurredAt, from),
    to && lt(clicks.occurredAt, to),
  );
