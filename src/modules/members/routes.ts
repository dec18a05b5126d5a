import { Elysia, t } from "elysia";
import {
  INVITATION_DAYS,
  Invitation,
  InviteMemberInput,
  Member,
  MemberPage,
  RoleInput,
} from "@/contract/accounts/members";
import { Deleted, pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { MemberService } from "./service";

export const memberRoutes = (members: MemberService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/members", tags: ["Members"] })
    .use(guard)
    .get("", ({ tenant, query }) => members.list(tenant, query.page ?? 1, query.limit ?? PAGE_LIMIT), {
      member: { role: "viewer", scopes: ["read", "manage"] },
      query: t.Object(pageQuery),
      response: { 200: MemberPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listMembers",
        summary: "List members and invitations",
        description: "Newest first. An invitation is a membership with the status `invited`.",
      },
    })
    .post("/invite", ({ tenant, body, once }) => members.invite(tenant, body, once), {
      member: { role: "admin", scopes: ["manage"] },
      repeatable: "sealed",
      body: InviteMemberInput,
      response: { 200: Invitation, ...failures(400, 401, 403, 404, 409, 413, 415, 429) },
      detail: {
        operationId: "inviteMember",
        summary: "Invite a member by email",
        description:
          "`inviteToken` and `inviteUrl` are shown only once. If the service sends mail, it also mails them, up to ten " +
          "times an hour to one address; the caller's own address must then be confirmed first (403). A user can send " +
          `twenty invitations an hour, and so can a network (/24, /64). For ${INVITATION_DAYS} days, register or login ` +
          "accepts the token with exactly this email. Inviting the same address again replaces the token and role, and mails " +
          "it, unless the request repeats an earlier one by its `Idempotency-Key`. Only an owner can invite an owner, and " +
          "not with an access token.",
      },
    })
    .patch("/:membershipId", ({ tenant, params, body }) => members.changeRole(tenant, params.membershipId, body.role), {
      member: { role: "admin", scopes: ["manage"] },
      body: RoleInput,
      response: { 200: Member, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "updateMember",
        summary: "Update a member's role",
        description:
          "Applies from the member's next request. Only an owner can make someone an owner or change an owner's role, and not " +
          "with an access token. The last owner who can sign in without single sign-on must stay one. Invitations that the " +
          "member could no longer send are withdrawn.",
      },
    })
    .delete("/:membershipId", ({ tenant, params }) => members.remove(tenant, params.membershipId), {
      member: { role: "viewer", scopes: ["manage"] },
      response: { 200: Deleted, ...failures(401, 403, 404, 409) },
      detail: {
        operationId: "removeMember",
        summary: "Remove a member, withdraw an invitation, or leave",
        description:
          "Everyone can end their own membership, except the last owner who can sign in without single sign-on. Removing " +
          "other members requires the role `admin`; removing an owner requires `owner` and a session. Invitations the member sent are " +
          "withdrawn.",
      },
    });
