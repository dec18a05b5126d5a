/**
 * Creates links in one transaction: the rows, revisions and audit entries of any number of links in one statement,
 * then their webhook deliveries. A link that cannot be created does not affect the others. If nothing else has to be
 * written or locked for a single link, that statement runs without a transaction around it, for all such links that the
 * same actor creates at that moment.
 */
import type { Link } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { HttpError } from "@/http/errors";
import { insertAtFreeSlugs, type WantedAddress } from "@/modules/addresses/service";
import type { AddressDomain, ExtraStatement, NewLinkRow } from "@/modules/addresses/store";
import type { Plans } from "@/modules/plans/service";
import { preparedStatementsOn } from "@/platform/db/statements";
import type { Db, Tx } from "@/platform/db/tx";
import type { Announce } from "@/platform/webhooks/webhook-outbox";
import { insertsTogether } from "./make-together";
import { historyStatements, revisionsStatement } from "./revisions";
import type { LinkRecord, LinkRow } from "./store";

/** A link that passed all checks. */
export type LinkDraft = WantedAddress;

/** Notes, within the transaction, that a link must be served differently from now on. */
export type NoteRoutingChange = (link: LinkRow, domain: AddressDomain) => void;

interface Made {
  link: LinkRow;
  domain: AddressDomain;
}

interface PresentedLink extends Made {
  data: Link;
}

export interface LinkMakerOptions {
  db: Db;
  plans: Pick<Plans, "room">;
  announce: Announce;
  present(record: LinkRecord): Link;
}

export function linkMaker({ db, plans, announce, present }: LinkMakerOptions) {
  const insertTogether = insertsTogether(db);

  return { makeAll, createWithoutTransaction, makeUnaudited };

  /** Returns, for each link in order, the link or why there is none: 400, 409, 429. Throws 404 for a deleted domain. */
  async function makeAll(
    tx: Tx,
    tenant: Tenant,
    drafts: readonly LinkDraft[],
    noteMade: NoteRoutingChange,
  ): Promise<(Link | HttpError)[]> {
    const outcomes = (await insertWithin(tx, tenant, drafts)).map(presented);
    await announceMade(announce, tx, tenant, outcomes);
    return outcomes.map((outcome) => {
      if (outcome instanceof HttpError) return outcome;
      noteMade(outcome.link, outcome.domain);
      return outcome.data;
    });
  }

  /** For organizations with no limit on links and no webhook that listens. Throws if the link cannot be created. */
  async function createWithoutTransaction(tenant: Tenant, draft: LinkDraft): Promise<PresentedLink> {
    const row = await insertTogether(tenant, draft);
    const made = presented(madeOf(row, draft.domain));
    if (made instanceof HttpError) throw made;
    return made;
  }

  /** Creates as many links as the plan has room for, with revisions but without audit entries. */
  async function makeUnaudited(
    tx: Tx,
    tenant: Tenant,
    drafts: readonly LinkDraft[],
    isAnnounced: boolean,
  ): Promise<(Made | HttpError)[]> {
    const outcomes = await insertWithin(tx, tenant, drafts, (rows) => [revisionsStatement(tenant, rows)]);
    if (isAnnounced) await announceMade(announce, tx, tenant, outcomes.map(presented));
    return outcomes;
  }

  /** Inserts as many of the first links as the plan has room for. Links that cannot be created use none of it. */
  async function insertWithin(
    tx: Tx,
    tenant: Tenant,
    drafts: readonly LinkDraft[],
    history = (made: readonly NewLinkRow[]): readonly ExtraStatement[] => historyStatements(tenant, made),
  ): Promise<(Made | HttpError)[]> {
    const { orgId } = tenant;
    const room = await plans.room(tx, orgId, "links");
    const rows: (LinkRow | HttpError)[] = [];
    for (let { left } = room; rows.length < drafts.length; ) {
      if (left < 1) rows.push(room.refusal(left));
      else {
        const outcomes = await insertAtFreeSlugs(tx, orgId, drafts.slice(rows.length, rows.length + left), history);
        left -= outcomes.filter((outcome) => !(outcome instanceof HttpError)).length;
        rows.push(...outcomes);
      }
    }
    return drafts.map(({ domain }, index) => madeOf(rows[index], domain));
  }

  function presented(made: Made | HttpError): PresentedLink | HttpError {
    return made instanceof HttpError ? made : { ...made, data: present({ ...made, clickCount: 0 }) };
  }
}

async function announceMade(
  announce: Announce,
  tx: Tx,
  { orgId }: Tenant,
  outcomes: readonly (PresentedLink | HttpError)[],
): Promise<void> {
  const event = "link.created" as const;
  const made = outcomes.filter((outcome): outcome is PresentedLink => !(outcome instanceof HttpError));
  // An imported link was created elsewhere, perhaps years ago; it was written here only now.
  const happenings = made.map(({ link, data }) => ({ event, orgId, at: link.updatedAt.getTime(), data }));
  if (happenings.length > 0) await announce(preparedStatementsOn(tx), ...happenings);
}

function madeOf(row: LinkRow | HttpError | undefined, domain: AddressDomain): Made | HttpError {
  if (!row) throw new Error("A link to be created has no outcome");
  return row instanceof HttpError ? row : { link: row, domain };
}
