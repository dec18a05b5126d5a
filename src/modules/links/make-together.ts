/**
 * Inserts single links, each with its history: those that the same actor creates at the same moment by one statement.
 * What that statement does not insert is tried by itself, so that it cannot affect what is inserted by then.
 */
import type { Tenant } from "@/core/ids";
import { HttpError } from "@/http/errors";
import { insertAtFreeSlugs, insertAtFreeSlugsOnce, type WantedAddress } from "@/modules/addresses/service";
import { isLockTimeout, isRefused } from "@/platform/db/faults";
import { gatherPieces } from "@/platform/db/gathering";
import type { Db } from "@/platform/db/tx";
import { historyStatements } from "./revisions";
import type { LinkRow } from "./store";

interface Standalone {
  tenant: Tenant;
  draft: WantedAddress;
}

type Outcome = LinkRow | HttpError;

/** As many as one request creates in bulk. */
const TOGETHER_MAX = 100;
/** Longer than a statement takes that waits for no lock. */
const PATIENCE_MS = 100;

/** Returns a function that resolves to the link or why there is none. */
export function insertsTogether(db: Db): (tenant: Tenant, draft: WantedAddress) => Promise<Outcome> {
  const insert = gatherPieces<Standalone, Outcome>({
    doAll: insertOfOneActor,
    mayTryAlone: isToBeTriedAlone,
    piecesMax: TOGETHER_MAX,
    patienceMs: PATIENCE_MS,
  });
  return (tenant, draft) => insert(JSON.stringify([tenant.orgId, tenant.actor]), { tenant, draft });

  async function insertOfOneActor(links: readonly Standalone[]): Promise<(Outcome | Promise<Outcome>)[]> {
    const [first, ...others] = links;
    if (!first) return [];
    if (others.length === 0) return [await insertAlone(first)];
    const { tenant } = first;
    const drafts = links.map(({ draft }) => draft);
    const made = await insertAtFreeSlugsOnce(db, tenant.orgId, drafts, (rows) => historyStatements(tenant, rows));
    return links.map((link, place) => made[place] ?? insertAlone(link));
  }

  async function insertAlone({ tenant, draft }: Standalone): Promise<Outcome> {
    const [made] = await insertAtFreeSlugs(db, tenant.orgId, [draft], (rows) => historyStatements(tenant, rows));
    if (!made) throw new Error("A link to be created has no outcome");
    return made;
  }
}

/**
 * Where it is unknown what became of the statement, another try could create a link twice. After a lock was waited for in
 * vain, it would wait once more.
 */
const isToBeTriedAlone = (error: unknown): boolean =>
  error instanceof HttpError || (isRefused(error) && !isLockTimeout(error));
