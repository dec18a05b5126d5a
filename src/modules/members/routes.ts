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
      member: "viewer",
      query: t.Object(pageQuery),
      response: { 200: MemberPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listMembers",
        summary: "List members and invitations",
        description: "Newest first. An invitation is a membership with the status `invited`.",
      },
    })
    .post("/invite", ({ tenant, body }) => members.invite(tenant, body), {
      member: "admin",
      body: InviteMemberInput,
      response: { 200: Invitation, ...failures(400, 401, 403, 404, 409, 413, 415, 429) },
      detail: {
        operationId: "inviteMember",
        summary: "Invite somebody by email",
        description:
          "`inviteToken` and `inviteUrl` are shown once, and sent by mail where the service sends any, ten times an hour to " +
          "one address at most. Where it does, the caller's own address must be confirmed first (403). A user may invite " +
          `twenty times an hour, and so may one network (/24, /64). For ${INVITATION_DAYS} days the token may be handed to register or login with this very ` +
          "email. Who is invited again gets another token and role in place of the first; only an owner invites an owner.",
      },
    })
    .patch("/:membershipId", ({ tenant, params, body }) => members.changeRole(tenant, params.membershipId, body.role), {
      member: "admin",
      body: RoleInput,
      response: { 200: Member, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "updateMember",
        summary: "Update a member's role",
        description:
          "It holds from their next request on. Only an owner makes an owner or changes one's role; the last owner who can sign in without single sign-on stays one. What somebody invited to a role that they may no longer give is withdrawn.",
      },
    })
    .delete("/:membershipId", ({ tenant, params }) => members.remove(tenant, params.membershipId), {
      member: "viewer",
      response: { 200: Deleted, ...failures(401, 403, 404, 409) },
      detail: {
        operationId: "removeMember",
        summary: "Remove a member, withdraw an invitation, or leave",
        description:
          "Everyone may end their own membership but the last owner who can sign in without single sign-on. What they invited is withdrawn. To end others' takes the role `admin`, an owner's the role `owner`.",
      },
    });
