/**
 * Detects too many claims by one visitor of one link, by the same rules and in the same shared windows as for clicks.
 */
import { createJudge } from "./judge";
import type { ShareMarks } from "./shared-marks";

export interface SuspectClaim {
  at: number;
  /** The id of the open that the claim stands for. */
  id: string;
  orgId: string;
  linkId: string;
  visitor: string;
}

export type IsRepeatedClaim = (claim: SuspectClaim) => Promise<boolean>;

/**
 * Creates a check that records the claim and resolves to whether there are too many. Claims are rare compared with
 * clicks, so every one is shared with the other servers.
 */
export function createClaimSigns(share: ShareMarks): IsRepeatedClaim {
  const judge = createJudge(share, 1);
  return async ({ at, id, orgId, linkId, visitor }) => {
    const [verdict] = await judge([{ at, id, orgId, declared: [], keys: { visitor: `claim ${visitor} ${linkId}` } }]);
    return verdict?.isBot ?? false;
  };
}
