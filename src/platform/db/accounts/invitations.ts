/**
 * Finds the invitations that are still valid: an invitation is valid as long as the inviter has the right to make it.
 */
import { type SQL, sql } from "drizzle-orm";

/**
 * A condition on a membership that is still an invitation: the inviter may still invite to its role. That right can
 * end without the invitation being changed, for example when the inviter's account is deleted. An invitation made by
 * the operator has no inviter and is always valid.
 */
export const isStillInvited: SQL<boolean> = sql<boolean>`(
  memberships.invited_by is null or exists (
    select 1 from memberships as inviter
    where inviter.org_id = memberships.org_id and inviter.user_id = memberships.invited_by
      and (inviter.role = 'owner' or inviter.role = 'admin' and memberships.role <> 'owner')))`;
