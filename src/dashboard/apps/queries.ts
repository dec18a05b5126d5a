import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { api, ifMatch, type Schemas, type Tagged, unwrap, unwrapWithEtag } from "../api/client";
import { sendAgainSafely } from "../api/sent-again";
import { rejectOnConflict } from "../drafts/edit-conflict";
import { forgetDraftsOf } from "../drafts/kept-draft";
import { useResourceMutation } from "../shell/api-queries";
import { useOrg } from "../shell/session";

export type Profile = Schemas["AppProfile"];

/** The number of apps that an organization may have. */
const ALL = 100;

export function useApps() {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["apps", orgId, "list"],
    queryFn: async ({ signal }) => {
      const params = { path: { orgId }, query: { limit: ALL } };
      return (await unwrap(api.GET("/api/v1/organizations/{orgId}/apps", { params, signal }))).apps;
    },
  });
}

const read = (orgId: string, appId: string, signal?: AbortSignal) =>
  unwrapWithEtag(
    api.GET("/api/v1/organizations/{orgId}/apps/{appId}", {
      params: { path: { orgId, appId } },
      ...(signal && { signal }),
    }),
  );

export function useApp(appId: string) {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["apps", orgId, "one", appId],
    queryFn: ({ signal }) => read(orgId, appId, signal),
  });
}

export function useCreateApp() {
  const { _id: orgId } = useOrg();
  return useResourceMutation("apps", (body: Schemas["AppProfileInput"]) =>
    sendAgainSafely(`new app ${orgId}`, body, (header) =>
      unwrap(api.POST("/api/v1/organizations/{orgId}/apps", { params: { path: { orgId }, header }, body })),
    ),
  );
}

export function useSavingApp({ _id: appId }: Profile) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return {
    /** Rejects with `EditConflict` if the app is no longer the version in `over`. */
    save(body: Schemas["AppProfileUpdate"], over: Tagged<Profile>) {
      const params = { path: { orgId, appId }, header: ifMatch(over) };
      const saved = unwrapWithEtag(api.PATCH("/api/v1/organizations/{orgId}/apps/{appId}", { params, body }));
      return rejectOnConflict(saved, () => read(orgId, appId));
    },
    refresh: () => client.invalidateQueries({ queryKey: ["apps", orgId] }),
  };
}

export function useDeleteApp({ _id: appId }: Profile) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange({
    mutationFn: () =>
      unwrap(api.DELETE("/api/v1/organizations/{orgId}/apps/{appId}", { params: { path: { orgId, appId } } })),
    onSuccess: () => forgetDraftsOf(appId),
    // The app itself cannot be read any more, so refresh only the list. Not awaited: the app's screen is being left.
    onSettled: () => void client.invalidateQueries({ queryKey: ["apps", orgId, "list"] }),
  });
}
