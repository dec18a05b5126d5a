/**
 * Transactions that change where short URLs lead. What they say has changed is told to the other servers exactly when they
 * commit, and to this one before the change is answered: whoever made it is served the new state by the very next request.
 */
import type { OrgId } from "@/core/ids";
import type { Drizzle } from "./db/client";
import type { Tx } from "./db/tx";
import { addressKey } from "./link-cache/address";
import { type LinkChange, notifyLinkChanges, touchOrganization } from "./link-cache/changes";

export interface RoutingChanges {
  /** A link or bio page was made, changed or deleted; as its row is now. */
  link(row: { id: string; version: number; prefixKey: string; slugKey: string }, domain: { hostname: string }): void;
  /**
   * A domain, an app or settings, by which all links of the organization are served. Locks the organization's row until
   * the transaction ends.
   */
  organization(orgId: OrgId): Promise<void>;
}

export type ChangeRouting = <Result>(work: (tx: Tx, changed: RoutingChanges) => Promise<Result>) => Promise<Result>;

/** `onChange` makes this server serve the new state. */
export function routingChanges(db: Drizzle, onChange: (change: LinkChange) => Promise<void>): ChangeRouting {
  return async (work) => {
    const links: LinkChange[] = [];
    const organizations: LinkChange[] = [];
    const result = await db.transaction(async (tx) => {
      const worked = await work(tx, {
        link({ id, version, prefixKey: prefix, slugKey: slug }, { hostname: host }) {
          links.push({ id, version, key: addressKey({ host, prefix, slug }) });
        },
        async organization(orgId) {
          organizations.push(await touchOrganization(tx, orgId));
        },
      });
      if (links.length > 0) await notifyLinkChanges(tx, links);
      return worked;
    });
    await Promise.all([...links, ...organizations].map(onChange));
    return result;
  };
}
