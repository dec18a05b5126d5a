import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { api, ifMatch, type Schemas, type Tagged, unwrap, unwrapWithEtag } from "../api/client";
import { failureText } from "../api/failures";
import { usePolling } from "../api/polling";
import { sendAgainSafely } from "../api/sent-again";
import { rejectOnConflict } from "../drafts/edit-conflict";
import { forgetDraftsOf } from "../drafts/kept-draft";
import { useOrg } from "../shell/session";
import { toast } from "../ui/toasts";

export type Domain = Schemas["Domain"];
/** A domain with the tag that is needed to save it. */
export type EditedDomain = Tagged<Domain>;

/** Milliseconds between two checks until everything is correct. Some warnings stay for good. */
const PACE = { firstMs: 5_000, longestMs: 30_000 };

/** Reads the current DNS records, and checks what phones receive. */
export function useConfiguration({ _id: domainId }: Domain) {
  const { _id: orgId } = useOrg();
  return useQuery<Schemas["DomainConfiguration"]>({
    queryKey: ["configuration", orgId, domainId],
    staleTime: 0,
    refetchInterval: usePolling((configuration) => !isSound(configuration), PACE),
    queryFn: ({ signal }) => readConfiguration(orgId, domainId, signal),
  });
}

const readConfiguration = (orgId: string, domainId: string, signal: AbortSignal) =>
  unwrap(
    api.GET("/api/v1/organizations/{orgId}/domains/{domainId}/configuration", {
      params: { path: { orgId, domainId }, query: { check: true } },
      signal,
    }),
  );

const isSound = ({ isVerified, records, checks = [] }: Schemas["DomainConfiguration"]): boolean =>
  isVerified && records.every(({ status }) => status === "ok") && checks.every(({ status }) => status === "ok");

const readDomain = (orgId: string, domainId: string, signal?: AbortSignal) =>
  unwrapWithEtag(
    api.GET("/api/v1/organizations/{orgId}/domains/{domainId}", {
      params: { path: { orgId, domainId } },
      ...(signal && { signal }),
    }),
  );

export function useDomain({ _id: domainId }: Domain) {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["domains", orgId, domainId],
    queryFn: ({ signal }) => readDomain(orgId, domainId, signal),
  });
}

/** A change of a domain, after which all domain lists are read again. */
export function useDomainChange<Input, Answer>(change: (orgId: string, input: Input) => Promise<Answer>) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange({
    mutationFn: (input: Input) => change(orgId, input),
    // Not awaited: the action after a change may leave the screen that started it.
    onSuccess: () => void client.invalidateQueries({ queryKey: ["domains", orgId] }),
  });
}

export const toastFailure = (error: unknown): void => toast({ text: failureText(error), isFailure: true });

export const addDomain = (orgId: string, body: Schemas["DomainInput"]) =>
  sendAgainSafely(`new domain ${orgId}`, body, (header) =>
    unwrap(api.POST("/api/v1/organizations/{orgId}/domains", { params: { path: { orgId }, header }, body })),
  );

const at = (orgId: string, { _id: domainId }: Domain) => ({ params: { path: { orgId, domainId } } });

export const verifyDomain = (orgId: string, domain: Domain) =>
  unwrap(api.POST("/api/v1/organizations/{orgId}/domains/{domainId}/verify", at(orgId, domain)));

export function useRemoveDomain() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange({
    mutationFn: (domain: Domain) =>
      unwrap(api.DELETE("/api/v1/organizations/{orgId}/domains/{domainId}", at(orgId, domain))),
    onSuccess(_, { _id: domainId }) {
      forgetDraftsOf(domainId);
      // The domain itself cannot be read any more, so refresh only the list.
      void client.invalidateQueries({ queryKey: ["domains", orgId], exact: true });
    },
  });
}

interface Hosting {
  domain: Domain;
  body: Schemas["DashboardHostingInput"];
}

export const hostDashboard = (orgId: string, { domain, body }: Hosting) =>
  unwrap(api.PATCH("/api/v1/organizations/{orgId}/domains/{domainId}/dashboard", { ...at(orgId, domain), body }));

export function useSavingRedirects({ _id: domainId }: Domain) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return {
    /**
     * Saves the changed redirects together with the others of `over`, because the API replaces all of them. Rejects
     * with `EditConflict` if the domain is no longer the version in `over`.
     */
    save(changes: Schemas["DomainRedirectsInput"], over: EditedDomain) {
      const params = { path: { orgId, domainId }, header: ifMatch(over) };
      const body = { redirects: { ...over.redirects, ...changes } };
      const saved = unwrapWithEtag(api.PATCH("/api/v1/organizations/{orgId}/domains/{domainId}", { params, body }));
      return rejectOnConflict(saved, () => readDomain(orgId, domainId));
    },
    refresh: () => client.invalidateQueries({ queryKey: ["domains", orgId] }),
  };
}
