import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, ask, type Schemas } from "../api/client";
import { failureText } from "../api/failures";
import { useOrg } from "../shell/session";
import { toast } from "../ui/toasts";

export type Domain = Schemas["Domain"];

/** Polling interval until everything is correct. */
const AGAIN_MS = 5_000;

/** Reads the current DNS records, and checks what phones receive. */
export function useConfiguration({ _id: domainId }: Domain) {
  const { _id: orgId } = useOrg();
  return useQuery<Schemas["DomainConfiguration"]>({
    queryKey: ["configuration", orgId, domainId],
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isSound(data) ? false : AGAIN_MS),
    queryFn: ({ signal }) => readConfiguration(orgId, domainId, signal),
  });
}

const readConfiguration = (orgId: string, domainId: string, signal: AbortSignal) =>
  ask(
    api.GET("/api/v1/organizations/{orgId}/domains/{domainId}/configuration", {
      params: { path: { orgId, domainId }, query: { check: true } },
      signal,
    }),
  );

const isSound = ({ isVerified, records, checks = [] }: Schemas["DomainConfiguration"]): boolean =>
  isVerified && records.every(({ status }) => status === "ok") && checks.every(({ status }) => status === "ok");

/** A change of a domain, after which all domain lists are read again. */
export function useDomainChange<Input, Answer>(change: (orgId: string, input: Input) => Promise<Answer>) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(orgId, input),
    // Not awaited: the action after a change may leave the screen that started it.
    onSuccess: () => void client.invalidateQueries({ queryKey: ["domains", orgId] }),
  });
}

export const tellFailure = (error: unknown): void => toast({ text: failureText(error), isFailure: true });

export const addDomain = (orgId: string, body: Schemas["DomainInput"]) =>
  ask(api.POST("/api/v1/organizations/{orgId}/domains", { params: { path: { orgId } }, body }));

const at = (orgId: string, { _id: domainId }: Domain) => ({ params: { path: { orgId, domainId } } });

export const verifyDomain = (orgId: string, domain: Domain) =>
  ask(api.POST("/api/v1/organizations/{orgId}/domains/{domainId}/verify", at(orgId, domain)));

export const removeDomain = (orgId: string, domain: Domain) =>
  ask(api.DELETE("/api/v1/organizations/{orgId}/domains/{domainId}", at(orgId, domain)));

interface Hosting {
  domain: Domain;
  body: Schemas["DashboardHostingInput"];
}

export const hostDashboard = (orgId: string, { domain, body }: Hosting) =>
  ask(api.PATCH("/api/v1/organizations/{orgId}/domains/{domainId}/dashboard", { ...at(orgId, domain), body }));

export const redirectVisitors = (orgId: string, domain: Domain, redirects: Schemas["DomainRedirectsInput"]) =>
  ask(api.PATCH("/api/v1/organizations/{orgId}/domains/{domainId}", { ...at(orgId, domain), body: { redirects } }));
