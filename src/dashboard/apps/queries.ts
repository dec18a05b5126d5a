import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, ask, type Schemas } from "../api/client";
import { useChange } from "../shell/asking";
import { useOrg } from "../shell/session";

export type Profile = Schemas["AppProfile"];

/** As many as an organization may have. */
const ALL = 100;

export function useApps() {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["apps", orgId],
    queryFn: async ({ signal }) => {
      const params = { path: { orgId }, query: { limit: ALL } };
      return (await ask(api.GET("/api/v1/organizations/{orgId}/apps", { params, signal }))).apps;
    },
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
    save: (body: Schemas["AppProfileUpdate"]) =>
      ask(api.PATCH("/api/v1/organizations/{orgId}/apps/{appId}", { params: { path: { orgId, appId } }, body })),
    refresh: () => client.invalidateQueries({ queryKey: ["apps", orgId] }),
  };
}

export function useDeleteApp({ _id: appId }: Profile) {
  const { _id: orgId } = useOrg();
  return useChange("apps", () =>
    ask(api.DELETE("/api/v1/organizations/{orgId}/apps/{appId}", { params: { path: { orgId, appId } } })),
  );
}
