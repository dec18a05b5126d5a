/** Members of an organization, and invitations. */
import { type Static, Type } from "@sinclair/typebox";
import { id, instant, oneOf, optional, pageOf, shape, withExample } from "../schema";
import { ROLES } from "./access";
import { email, emailTold } from "./auth";

/** Days that an invitation is valid. */
export const INVITATION_DAYS = 14;

const role = withExample("member", oneOf(ROLES));

export const InviteMemberInput = shape({ email, role }, { $id: "InviteMemberInput" });
export type InviteMemberInput = Static<typeof InviteMemberInput>;

export const RoleInput = shape({ role }, { $id: "RoleInput" });
export type RoleInput = Static<typeof RoleInput>;

const record = {
  _id: id("Id of the membership; stays the same when an invitation is accepted"),
  userId: optional(id("Omitted while invited")),
  email: emailTold,
  name: optional(Type.String({ description: "Omitted while invited" })),
  role,
  status: withExample("invited", oneOf(["active", "invited"])),
  createdAt: instant("When the membership was created, or the invitation first sent"),
  invitedBy: optional(id("Id of the user who sent the invitation, or last raised its role")),
  inviteExpiresAt: optional(instant("When the invitation expires, which can be in the past")),
};

export const Member = shape(record, { $id: "Member" });
export type Member = Static<typeof Member>;

export const MemberPage = pageOf("members", Member);

const token = "mJ4nX0vT7bqk2mWc9hYy1rDf5sLz8eUa3gPi6oQx0tK";

export const Invitation = shape(
  {
    ...record,
    inviteToken: withExample(token, Type.String({ description: "Shown only once" })),
    inviteUrl: withExample(
      `https://links.acme.dev/app/invite?token=${token}`,
      Type.String({ description: "Shown only once" }),
    ),
  },
  { $id: "Invitation" },
);
export type Invitation = Static<typeof Invitation>;
