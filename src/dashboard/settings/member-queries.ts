/** The API requests of the members tab. */
import { api, ask, type Schemas } from "../api/client";
import { useChange, usePages } from "../shell/asking";
import { useOrg, useSession } from "../shell/session";

export type Member = Schemas["Member"];
export type Role = Member["role"];

const PAGE = 100;

export function useMembers() {
  const { _id: orgId } = useOrg();
  return usePages(["members", orgId, "list"], (page, signal) =>
    ask(
      api.GET("/api/v1/organizations/{orgId}/members", {
        params: { path: { orgId }, query: { page, limit: PAGE } },
        signal,
      }),
    ),
  );
}

export function useInvite() {
  const { _id: orgId } = useOrg();
  return useChange("members", (body: Schemas["InviteMemberInput"]) =>
    ask(api.POST("/api/v1/organizations/{orgId}/members/invite", { params: { path: { orgId } }, body })),
  );
}

export function useChangeRole() {
  const { _id: orgId } = useOrg();
  return useChange("members", ({ member, role }: { member: Member; role: Role }) =>
    ask(
      api.PATCH("/api/v1/organizations/{orgId}/members/{membershipId}", {
        params: { path: { orgId, membershipId: member._id } },
        body: { role },
      }),
    ),
  );
}

/**
 * Removes a member or withdraws an invitation. After removing oneself, leaves the page, because the organization can
 * no longer be read.
 */
export function useRemoveMember({ _id: membershipId, userId }: Member) {
  const { _id: orgId } = useOrg();
  const isMine = useIsMine({ userId });
  return useChange("members", async () => {
    const params = { path: { orgId, membershipId } };
    await ask(api.DELETE("/api/v1/organizations/{orgId}/members/{membershipId}", { params }));
    if (!isMine) return;
    location.assign("/app");
    await new Promise(() => {});
  });
}

/** True if the membership is the user's own. */
export function useIsMine({ userId }: Pick<Member, "userId">): boolean {
  const me = useSession().data?.user._id;
  return userId !== undefined && userId === me;
}
