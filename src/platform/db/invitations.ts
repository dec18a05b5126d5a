/** Which invitations still hold: an invitation is as good as the right of who made it. */
import { type SQL, sql } from "drizzle-orm";

/**
 * Of a membership that nobody has taken: whoever made it may still invite to its role. That right may end in ways that pass
 * by the invitation, like an account that is no more. What the operator made has no such person.
 */
export const isStillInvited: SQL<boolean> = sql<boolean>`(
  memberships.invited_by is null or exists (
    select 1 from memberships as inviter
    where inviter.org_id = memberships.org_id and inviter.user_id = memberships.invited_by
      and (inviter.role = 'owner' or inviter.role = 'admin' and memberships.role <> 'owner')))`;
