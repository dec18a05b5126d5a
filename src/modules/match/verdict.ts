/**
 * Whether a claim counts, or is a bot's. What calls is a program in any case, so its name tells nothing: it is judged by
 * the click that its token was minted for, and by how many claims come from one visitor, in the windows of clicks.
 *
 * A claim may be there before its click is in Postgres. No app is installed that fast, so such a claim is not answered
 * before its click is known, for `WAIT_TRIES_MAX` looks at most. A click that is never found, since it was shed or is no
 * longer kept, speaks for nobody and against nobody. A crash forgets the windows.
 */
import type { LinkDefinition } from "@/core/link";
import { clickOf, type TokenClick, type TokenFields } from "@/core/tokens";
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
  /** Counts a claim, and tells whether there are too many. */
  isRepeated(claim: { at: number; linkId: string; visitor: string }): boolean;
}

export interface JudgedClaim {
  fields: TokenFields;
  link: LinkDefinition;
  /** Unix milliseconds. */
  at: number;
  visitor: string;
}

export type IsBotsClaim = (claim: JudgedClaim) => Promise<boolean>;

export function createVerdict({ db, clock, isRepeated }: VerdictOptions): IsBotsClaim {
  return async ({ fields, link, at, visitor }) => {
    const click = clickOf(fields);
    const isRepeat = isRepeated({ at, linkId: link.id, visitor });
    return isRepeat || (click !== null && (await isBotsClick(link, click)));
  };

  async function isBotsClick(link: LinkDefinition, click: TokenClick): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      const isBot = await store.findVerdict(db, link, click);
      if (isBot !== undefined) return isBot;
      if (tries >= WAIT_TRIES_MAX || clock() - click.at > FRESH_MS) return false;
      await Bun.sleep(WAIT_MS);
    }
  }
}
