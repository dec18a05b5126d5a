import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, ask, askTagged, ifMatch, type Schemas, type Tagged } from "../api/client";
import { unlessChanged } from "../drafts/changed-meanwhile";
import { useChange } from "../shell/asking";
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
      return (await ask(api.GET("/api/v1/organizations/{orgId}/apps", { params, signal }))).apps;
    },
  });
}

const read = (orgId: string, appId: string, signal?: AbortSignal) =>
  askTagged(
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
  return useChange("apps", (body: Schemas["AppProfileInput"]) =>
    ask(api.POST("/api/v1/organizations/{orgId}/apps", { params: { path: { orgId } }, body })),
  );
}

export function useSavingApp({ _id: appId }: Profile) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return {
    /** Rejects with `ChangedMeanwhile` if the app is no longer the version in `over`. */
    save(body: Schemas["AppProfileUpdate"], over: Tagged<Profile>) {
      const params = { path: { orgId, appId }, header: ifMatch(over) };
      const saved = askTagged(api.PATCH("/api/v1/organizations/{orgId}/apps/{appId}", { params, body }));
      return unlessChanged(saved, () => read(orgId, appId));
    },
    refresh: () => client.invalidateQueries({ queryKey: ["apps", orgId] }),
  };
}

export function useDeleteApp({ _id: appId }: Profile) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      ask(api.DELETE("/api/v1/organizations/{orgId}/apps/{appId}", { params: { path: { orgId, appId } } })),
    // The app itself cannot be read any more, so refresh only the list.
    onSettled: () => client.invalidateQueries({ queryKey: ["apps", orgId, "list"] }),
  });
}
