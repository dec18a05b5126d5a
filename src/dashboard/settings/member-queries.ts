/** The API requests of the members tab, and of lists that name members. */
import { useEffect } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { sendAgainSafely } from "../api/sent-again";
import { usePagedQuery, useResourceMutation } from "../shell/api-queries";
import { useOrg, useSession } from "../shell/session";

export type Member = Schemas["Member"];
export type Role = Member["role"];

const PAGE = 100;
/** Pages that are read to find members. */
const PAGES_MAX = 50;

export function useMembers() {
  const { _id: orgId } = useOrg();
  return usePagedQuery(["members", orgId, "list"], (page, signal) =>
    unwrap(
      api.GET("/api/v1/organizations/{orgId}/members", {
        params: { path: { orgId }, query: { page, limit: PAGE } },
        signal,
      }),
    ),
  );
}

/**
 * Reads further pages of the members until all of these are found. The returned function gives a member by id: null if
 * there is none, and undefined as long as this is not known.
 */
export function useMemberSearch(by: "_id" | "userId", ids: readonly string[]) {
  const { data, isError, isFetching, hasNextPage, fetchNextPage } = useMembers();
  const { length } = data?.pages ?? [];
  const found = new Map(data?.pages.flatMap((page) => page.members).map((member) => [member[by], member]));
  const mayRead = hasNextPage && !isFetching && !isError && length < PAGES_MAX;
  const wantsNext = mayRead && ids.some((id) => !found.has(id));
  useEffect(() => {
    if (wantsNext && length > 0) void fetchNextPage();
  }, [wantsNext, length, fetchNextPage]);
  const isWhole = data !== undefined && !hasNextPage;
  return (id: string): Member | null | undefined => found.get(id) ?? (isWhole ? null : undefined);
}

export function useInvite() {
  const { _id: orgId } = useOrg();
  return useResourceMutation("members", (body: Schemas["InviteMemberInput"]) =>
    sendAgainSafely(`invitation ${orgId}`, body, (header) =>
      unwrap(api.POST("/api/v1/organizations/{orgId}/members/invite", { params: { path: { orgId }, header }, body })),
    ),
  );
}

/** Has no key: sent twice, it mails twice, and the latest invitation counts. */
export function useInviteAgain() {
  const { _id: orgId } = useOrg();
  return useResourceMutation("members", (body: Schemas["InviteMemberInput"]) =>
    unwrap(api.POST("/api/v1/organizations/{orgId}/members/invite", { params: { path: { orgId } }, body })),
  );
}

export function useChangeRole() {
  const { _id: orgId } = useOrg();
  return useResourceMutation("members", ({ member, role }: { member: Member; role: Role }) =>
    unwrap(
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
  return useResourceMutation("members", async () => {
    const params = { path: { orgId, membershipId } };
    await unwrap(api.DELETE("/api/v1/organizations/{orgId}/members/{membershipId}", { params }));
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
