/** Claims that come too thick for one visitor of one link, by the rules and in the shared windows of clicks. */
import { createJudge } from "./judge";
import type { ShareMarks } from "./shared-marks";

export interface SuspectClaim {
  at: number;
  /** Of the open that it stands for. */
  id: string;
  orgId: string;
  linkId: string;
  visitor: string;
}

export type IsRepeatedClaim = (claim: SuspectClaim) => Promise<boolean>;

/** Notes the claim. Claims are rare compared with clicks, so every one of them is shared. */
export function createClaimSigns(share: ShareMarks): IsRepeatedClaim {
  const judge = createJudge(share, 1);
  return async ({ at, id, orgId, linkId, visitor }) => {
    const [verdict] = await judge([{ at, id, orgId, declared: [], keys: { visitor: `claim ${visitor} ${linkId}` } }]);
    return verdict?.isBot ?? false;
  };
}
