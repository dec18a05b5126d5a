/**
 * Runs transactions that change where short URLs lead. The other servers are notified of reported changes exactly
 * when the transaction commits, and of new links right after it. This server is up to date before the response to the
 * change is sent: the client's very next request is served the new state.
 */
import type { OrgId } from "@/core/ids";
import type { Drizzle } from "./db/client";
import type { Tx } from "./db/tx";
import { addressKey } from "./link-cache/address";
import { type LinkChange, notifyLinkChanges, touchOrganization } from "./link-cache/changes";
import { NewLinkNotices } from "./link-cache/new-link-notices";

export interface RoutingChanges {
  /**
   * Reports that a link was changed or deleted, or that a bio page was made, changed or deleted; takes its row as it
   * is now.
   */
  link(link: ChangedLink, domain: ChangedDomain): void;
  /** Reports that a link was made, at an address where other servers may remember that there was none. */
  made(link: ChangedLink, domain: ChangedDomain): void;
  /**
   * Reports that a domain, an app or settings were changed, on which all links of the organization depend. Locks the
   * organization's row until the transaction ends.
   */
  organization(orgId: OrgId): Promise<void>;
}

export interface ChangeRouting {
  <Result>(work: (tx: Tx, changed: RoutingChanges) => Promise<Result>): Promise<Result>;
  /** Reports that a link was made by a single statement without a transaction. */
  made(link: ChangedLink, domain: ChangedDomain): Promise<void>;
}

export interface OpenRoutingChanges extends ChangeRouting, AsyncDisposable {
  /** Returns the number of new links of which other servers were not notified one by one. */
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

/** `onChange` makes this server serve the new state; for `onReplaced` and `areMany` see `NewLinkNotices`. */
export function routingChanges(
  db: Drizzle,
  onChange: (change: LinkChange) => Promise<void>,
  onReplaced: (links: number, error?: unknown) => void,
  { areMany = false } = {},
): OpenRoutingChanges {
  const notices = new NewLinkNotices({ notify: (changes) => notifyLinkChanges(db, changes), onReplaced, areMany });
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
