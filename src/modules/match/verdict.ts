/**
 * Whether a claim counts, or is a bot's. What calls is a program in any case, so its name tells nothing: it is judged by
 * the click that its token was minted for, and by how many claims of a link come from one visitor, by the rule of clicks.
 *
 * A claim may be there before its click is in Postgres. No app is installed that fast, so such a claim is not answered
 * before its click is known, for `WAIT_TRIES_MAX` looks at most. A click that is never found, since it was shed or is no
 * longer kept, speaks for nobody and against nobody.
 */
import type { LinkDefinition } from "@/core/routing/link";
import { clickOfToken, type TokenClick, type TokenFields } from "@/core/tokens";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import * as store from "./store";

const WAIT_TRIES_MAX = 20;
const WAIT_MS = 100;
/** An older click is in Postgres, or long on its way there. */
const FRESH_MS = 5_000;

export interface VerdictOptions {
  db: Db;
  clock: Clock;
  /** Notes a claim, and tells whether there are too many. */
  isRepeated(claim: { at: number; id: string; orgId: string; linkId: string; visitor: string }): Promise<boolean>;
}

export interface JudgedClaim {
  fields: TokenFields;
  link: LinkDefinition;
  /** Unix milliseconds. */
  at: number;
  /** Of the open that it stands for. */
  id: string;
  visitor: string;
}

export interface ClaimVerdict {
  isBot: boolean;
  /** Of the click behind it; null where that is not known. */
  clickId: string | null;
}

export type JudgeClaim = (claim: JudgedClaim) => Promise<ClaimVerdict>;

export function createVerdict({ db, clock, isRepeated }: VerdictOptions): JudgeClaim {
  return async ({ fields, link, at, id, visitor }) => {
    const click = clickOfToken(fields);
    const isRepeat = await isRepeated({ at, id, orgId: link.orgId, linkId: link.id, visitor });
    const found = click === null ? undefined : await verdictOn(link, click);
    return { isBot: isRepeat || (found?.isBot ?? false), clickId: found?.clickId ?? null };
  };

  async function verdictOn(link: LinkDefinition, click: TokenClick): Promise<store.ClickVerdict | undefined> {
    for (let tries = 1; ; tries++) {
      const found = await store.findVerdict(db, link, click);
      if (found || tries >= WAIT_TRIES_MAX || clock() - click.at > FRESH_MS) return found;
      await Bun.sleep(WAIT_MS);
    }
  }
}
