ALTER TABLE "sso_identities" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "sso_identities" ADD COLUMN "name" text;--> statement-breakpoint
-- Invitations of those who may invite no more, which end with that right from now on.
delete from memberships
where user_id is null and invited_by is not null and not exists (
	select from memberships as inviter
	where inviter.org_id = memberships.org_id and inviter.user_id = memberships.invited_by
		and (inviter.role = 'owner' or inviter.role = 'admin' and memberships.role <> 'owner'));
