/**
 * Transactions that change where short URLs lead. What they say has changed is told to the other servers exactly when they
 * commit, what they have made right behind, and to this one before the change is answered: whoever made it is served the new
 * state by the very next request.
 */
import type { OrgId } from "@/core/ids";
import type { Drizzle } from "./db/client";
import type { Tx } from "./db/tx";
import { addressKey } from "./link-cache/address";
import { type LinkChange, notifyLinkChanges, touchOrganization } from "./link-cache/changes";
import { MadeNotices } from "./link-cache/made-notices";

export interface RoutingChanges {
  /** A link or bio page was changed or deleted, or made with something that was there; as its row is now. */
  link(link: ChangedLink, domain: ChangedDomain): void;
  /** A link was made, where others may only know that there was none. */
  made(link: ChangedLink, domain: ChangedDomain): void;
  /**
   * A domain, an app or settings, by which all links of the organization are served. Locks the organization's row until
   * the transaction ends.
   */
  organization(orgId: OrgId): Promise<void>;
}

export interface ChangeRouting {
  <Result>(work: (tx: Tx, changed: RoutingChanges) => Promise<Result>): Promise<Result>;
  /** A link was made by one statement without a transaction. */
  made(link: ChangedLink, domain: ChangedDomain): Promise<void>;
}

export interface OpenRoutingChanges extends ChangeRouting, AsyncDisposable {
  /** New links of which other servers were not told one by one. */
  replacedNotices(): number;
}

interface ChangedLink {
  id: string;
  version: number;
  prefixKey: string;
  slugKey: string;
}

interface ChangedDomain {
  hostname: string;
}

const linkChange = (
  { id, version, prefixKey: prefix, slugKey: slug }: ChangedLink,
  { hostname: host }: ChangedDomain,
): LinkChange => ({ id, version, key: addressKey({ host, prefix, slug }) });

/** `onChange` makes this server serve the new state; `onReplaced` and `areMany` as `MadeNotices` has them. */
export function routingChanges(
  db: Drizzle,
  onChange: (change: LinkChange) => Promise<void>,
  onReplaced: (links: number, error?: unknown) => void,
  { areMany = false } = {},
): OpenRoutingChanges {
  const notices = new MadeNotices({ notify: (changes) => notifyLinkChanges(db, changes), onReplaced, areMany });
  const notifyMade = async (made: readonly LinkChange[]) => {
    notices.add(made);
    await Promise.all(made.map(onChange));
  };
  const change = async <Result>(work: (tx: Tx, changed: RoutingChanges) => Promise<Result>): Promise<Result> => {
    const [links, made]: [LinkChange[], LinkChange[]] = [[], []];
    const organizations: LinkChange[] = [];
    const result = await db.transaction(async (tx) => {
      const worked = await work(tx, {
        link(link, domain) {
          links.push(linkChange(link, domain));
        },
        made(link, domain) {
          made.push(linkChange(link, domain));
        },
        async organization(orgId) {
          organizations.push(await touchOrganization(tx, orgId));
        },
      });
      if (links.length > 0) await notifyLinkChanges(tx, links);
      return worked;
    });
    await Promise.all([notifyMade(made), ...[...links, ...organizations].map(onChange)]);
    return result;
  };
  const made = (link: ChangedLink, domain: ChangedDomain) => notifyMade([linkChange(link, domain)]);
  const replacedNotices = () => notices.replaced;
  return Object.assign(change, { made, replacedNotices, [Symbol.asyncDispose]: () => notices.close() });
}
