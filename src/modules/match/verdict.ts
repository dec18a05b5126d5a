/**
 * Decides whether a claim counts as human or as a bot's. The caller is always a program, so its user agent proves
 * nothing. A claim is judged by how many claims of a link one visitor makes, under the same rule as clicks, and counts
 * like the click that its token was minted for.
 *
 * A claim can arrive before its click is in Postgres. No app is installed that fast, so the response to such a claim
 * waits until the click is found, for at most `WAIT_TRIES_MAX` attempts. If the click comes later, the claim is made to
 * count like it then (`awaited`). A click that is never found, because it was shed or has been deleted, has no
 * influence.
 */
import type { LinkDefinition } from "@/core/routing/link";
import { clickOfToken, type TokenClick, type TokenFields } from "@/core/tokens";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import * as store from "./store";

const WAIT_TRIES_MAX = 20;
const WAIT_MS = 100;
/** A click older than this is either in Postgres or will take much longer to arrive. */
const FRESH_MS = 5_000;

export interface VerdictOptions {
  db: Db;
  clock: Clock;
  /** Records a claim and returns whether the visitor has made too many. */
  isRepeated(claim: { at: number; id: string; orgId: string; linkId: string; visitor: string }): Promise<boolean>;
}

export interface JudgedClaim {
  fields: TokenFields;
  link: LinkDefinition;
  /** Unix milliseconds. */
  at: number;
  /** Id of the open that the claim stands for. */
  id: string;
  visitor: string;
}

export interface ClaimVerdict {
  /** Whether the claim is a bot's by itself. */
  isBot: boolean;
  /** The click behind the claim, which counts like it; null if unknown. */
  click: store.ClaimedClick | null;
  /** The click behind the claim if it is not in Postgres yet. */
  awaited: TokenClick | null;
}

export type JudgeClaim = (claim: JudgedClaim) => Promise<ClaimVerdict>;

export function createVerdict({ db, clock, isRepeated }: VerdictOptions): JudgeClaim {
  return async ({ fields, link, at, id, visitor }) => {
    const click = clickOfToken(fields);
    const isBot = await isRepeated({ at, id, orgId: link.orgId, linkId: link.id, visitor });
    const found = click && (await findClick(link, click));
    return { isBot, click: found, awaited: found ? null : click };
  };

  async function findClick(link: LinkDefinition, click: TokenClick): Promise<store.ClaimedClick | null> {
    for (let tries = 1; ; tries++) {
      const found = await store.findClickOfToken(db, link, click);
      if (found || tries >= WAIT_TRIES_MAX || clock() - click.at > FRESH_MS) return found ?? null;
      await Bun.sleep(WAIT_MS);
    }
  }
}
