import { useQuery } from "@tanstack/react-query";
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

/** A new one, or new values of one that there is. */
export function useSaveApp(appId: string | undefined) {
  const { _id: orgId } = useOrg();
  return useChange("apps", (body: Schemas["AppProfileInput"]) =>
    ask(
      appId === undefined
        ? api.POST("/api/v1/organizations/{orgId}/apps", { params: { path: { orgId } }, body })
        : api.PATCH("/api/v1/organizations/{orgId}/apps/{appId}", { params: { path: { orgId, appId } }, body }),
    ),
  );
}

export function useDeleteApp({ _id: appId }: Profile) {
  const { _id: orgId } = useOrg();
  return useChange("apps", () =>
    ask(api.DELETE("/api/v1/organizations/{orgId}/apps/{appId}", { params: { path: { orgId, appId } } })),
  );
}
