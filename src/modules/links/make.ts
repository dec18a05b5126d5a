/**
 * Links made in one transaction: their rows, revisions, audit entries and deliveries, each kind in one statement however
 * many links they are. One that cannot be made does not keep the others from it.
 */
import type { Link } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { HttpError } from "@/http/errors";
import { insertAtFreeSlugs, type WantedAddress } from "@/modules/addresses/service";
import type { AddressDomain } from "@/modules/addresses/store";
import type { Plans } from "@/modules/plans/service";
import { statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";
import type { Announce } from "@/platform/webhooks/webhook-outbox";
import { recordChanges } from "./revisions";
import type { LinkRecord, LinkRow } from "./store";

/** A link that was found fit to be made. */
export type LinkDraft = WantedAddress;

/** Says within the transaction that what is served of a link has changed. */
export type Changed = (link: LinkRow, domain: AddressDomain) => void;

interface Made {
  link: LinkRow;
  domain: AddressDomain;
  data: Link;
}

export interface LinkMakerOptions {
  plans: Pick<Plans, "room">;
  announce: Announce;
  present(record: LinkRecord): Link;
}

export function linkMaker({ plans, announce, present }: LinkMakerOptions) {
  /** For each in its order the link, or why there is none: 400, 409, 429. Throws 404 when a domain is gone. */
  return async (tx: Tx, tenant: Tenant, drafts: LinkDraft[], changed: Changed): Promise<(Link | HttpError)[]> => {
    const outcomes = await insertWithin(tx, tenant, drafts);
    const made = outcomes.filter((outcome): outcome is Made => !(outcome instanceof HttpError));
    if (made.length > 0) await tell(tx, tenant, made);
    return outcomes.map((outcome) => {
      if (outcome instanceof HttpError) return outcome;
      changed(outcome.link, outcome.domain);
      return outcome.data;
    });
  };

  async function tell(tx: Tx, tenant: Tenant, made: readonly Made[]): Promise<void> {
    const { orgId } = tenant;
    await recordChanges(
      tx,
      tenant,
      made.map(({ link }) => ({ before: null, after: link })),
    );
    const event = "link.created" as const;
    const happenings = made.map(({ link, data }) => ({ event, orgId, at: link.createdAt.getTime(), data }));
    await announce(statementsOn(tx), ...happenings);
  }

  /** The first of them, as many as the plan has room for: what cannot be made takes none. */
  async function insertWithin(tx: Tx, { orgId }: Tenant, drafts: LinkDraft[]): Promise<(Made | HttpError)[]> {
    const room = await plans.room(tx, orgId, "links");
    const rows: (LinkRow | HttpError)[] = [];
    for (let { left } = room; rows.length < drafts.length; ) {
      if (left < 1) rows.push(room.refusal(left));
      else {
        const outcomes = await insertAtFreeSlugs(tx, orgId, drafts.slice(rows.length, rows.length + left));
        left -= outcomes.filter((outcome) => !(outcome instanceof HttpError)).length;
        rows.push(...outcomes);
      }
    }
    return drafts.map(({ domain }, index) => madeOf(rows[index], domain));
  }

  function madeOf(row: LinkRow | HttpError | undefined, domain: AddressDomain): Made | HttpError {
    if (!row) throw new Error("A link to be created has no outcome");
    return row instanceof HttpError ? row : { link: row, domain, data: present({ link: row, domain, clickCount: 0 }) };
  }
}
