/** Suspicious clicks and the verdicts on them. */
import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { api, type Schemas, unwrap } from "../api/client";
import { failureText } from "../api/failures";
import { usePagedQuery } from "../shell/api-queries";
import { useOrg } from "../shell/session";
import { toast } from "../ui/toasts";
import { reviewWords as words } from "./words";

export type Suspect = Schemas["AbuseItem"];
export type Group = Schemas["AbuseGroup"];
export type Verdict = Suspect["status"];
export type Status = Verdict | "all";
export type GroupBy = "address" | "link";

const PAGE = 100;

export interface SuspectFilters {
  status: Status;
  addressId?: string | undefined;
  linkId?: string | undefined;
}

const listKey = (orgId: string) => ["abuse", orgId, "list"];

export function useSuspects(filters: SuspectFilters) {
  const { _id: orgId } = useOrg();
  return usePagedQuery([...listKey(orgId), filters], (page, signal) =>
    unwrap(
      api.GET("/api/v1/organizations/{orgId}/analytics/abuse-queue", {
        params: { path: { orgId }, query: { ...filters, page, limit: PAGE } },
        signal,
      }),
    ),
  );
}

export function useGroups(query: { by: GroupBy; status: Verdict }) {
  const { _id: orgId } = useOrg();
  return usePagedQuery(["abuse", orgId, "groups", query], (page, signal) =>
    unwrap(
      api.GET("/api/v1/organizations/{orgId}/analytics/abuse-queue/groups", {
        params: { path: { orgId }, query: { ...query, page, limit: PAGE } },
        signal,
      }),
    ),
  );
}

/** Figures are read again when they are shown next. */
const refreshFigures = (client: QueryClient, orgId: string) => {
  for (const resource of ["analytics", "clicks", "links"])
    void client.invalidateQueries({ queryKey: [resource, orgId] });
};

/** Applies a verdict to the cached lists without a request, because requests to the queue are limited. */
const put = (client: QueryClient, orgId: string, suspect: Suspect): void =>
  void client.setQueriesData<InfiniteData<Schemas["AbuseItemPage"]>>(
    { queryKey: listKey(orgId) },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((item) => (item.clickId === suspect.clickId ? suspect : item)),
        })),
      },
  );

interface Judged {
  suspect: Suspect;
  verdict: Verdict;
}

/** Returns a function that judges one click and offers to undo that. */
export function useJudge() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const judge = useChange({
    mutationFn: ({ suspect: { clickId }, verdict: status }: Judged) =>
      unwrap(
        api.PATCH("/api/v1/organizations/{orgId}/analytics/abuse-queue/{clickId}", {
          params: { path: { orgId, clickId } },
          body: { status },
        }),
      ),
    onMutate: ({ suspect, verdict }) => put(client, orgId, { ...suspect, status: verdict }),
    onSuccess(suspect) {
      put(client, orgId, suspect);
      void client.invalidateQueries({ queryKey: ["abuse", orgId], refetchType: "none" });
      refreshFigures(client, orgId);
    },
    onError(error, { suspect }) {
      put(client, orgId, suspect);
      toast({ text: failureText(error), isFailure: true });
    },
  });
  return async (suspect: Suspect, verdict: Verdict): Promise<void> => {
    const before = suspect.status;
    const judged = await judge.mutateAsync({ suspect, verdict }).catch(() => undefined);
    if (!judged) return;
    const undo = () => void judge.mutateAsync({ suspect: judged, verdict: before }).catch(() => {});
    toast({ text: words.review.told[verdict], undo });
  };
}

interface JudgedAll {
  group: Group;
  current: Verdict;
  verdict: Verdict;
}

/** Judges all clicks of a group with the given status, in as many requests as necessary. */
export function useJudgeAll() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange({
    async mutationFn({ group: { addressId, link }, current, verdict: status }: JudgedAll) {
      const of = link ? { linkId: link._id } : { addressId: addressId ?? undefined };
      let judged = 0;
      for (;;) {
        const { changed, remaining } = await unwrap(
          api.POST("/api/v1/organizations/{orgId}/analytics/abuse-queue/bulk", {
            params: { path: { orgId } },
            body: { ...of, current, status },
          }),
        );
        judged += changed;
        if (remaining === 0 || changed === 0) return judged;
      }
    },
    onSettled() {
      void client.invalidateQueries({ queryKey: ["abuse", orgId] });
      refreshFigures(client, orgId);
    },
  });
}
