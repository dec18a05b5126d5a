import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { api, type Schemas, unwrap } from "../api/client";
import { usePolling } from "../api/polling";
import { sendAgainSafely } from "../api/sent-again";
import { useOrg } from "../shell/session";

export type Job = Schemas["Import"];
export type RowResult = Schemas["ImportRow"]["result"];

export const isOver = ({ status }: Job): boolean => !["queued", "running"].includes(status);

export function useJobs() {
  const { _id: orgId } = useOrg();
  return useQuery<Schemas["ImportPage"]>({
    queryKey: ["imports", orgId, "list"],
    refetchInterval: usePolling(({ imports }) => !imports.every(isOver)),
    queryFn: ({ signal }) => readJobs(orgId, signal),
  });
}

const readJobs = (orgId: string, signal: AbortSignal) =>
  unwrap(api.GET("/api/v1/organizations/{orgId}/imports", { params: { path: { orgId } }, signal }));

/** Polls while the job runs. */
export function useJob(importId: string) {
  const { _id: orgId } = useOrg();
  return useQuery<Job>({
    queryKey: ["imports", orgId, "one", importId],
    refetchInterval: usePolling((job) => !isOver(job)),
    queryFn: ({ signal }) => readJob(orgId, importId, signal),
  });
}

const readJob = (orgId: string, importId: string, signal: AbortSignal) =>
  unwrap(
    api.GET("/api/v1/organizations/{orgId}/imports/{importId}", { params: { path: { orgId, importId } }, signal }),
  );

export function useLedger({ _id: importId, status, task }: Job, result: RowResult | undefined) {
  const { _id: orgId } = useOrg();
  return useInfiniteQuery({
    queryKey: ["imports", orgId, "ledger", importId, task, status, result],
    initialPageParam: 1,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam: page, signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/imports/{importId}/ledger", {
          params: { path: { orgId, importId }, query: { page, limit: 50, ...(result && { result }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
  });
}

interface Upload {
  file: File;
  options: Schemas["ImportOptionsInput"];
}

/** A change of an import, after which all import queries are read again. */
function useJobChange<Input, Answer>(change: (orgId: string, input: Input) => Promise<Answer>) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange({
    mutationFn: (input: Input) => change(orgId, input),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["imports", orgId] }),
  });
}

export const useUpload = () =>
  useJobChange((orgId, { file, options }: Upload) => {
    const form = new FormData();
    form.set("options", JSON.stringify(options));
    form.set("file", file);
    return unwrap(
      api.POST("/api/v1/organizations/{orgId}/imports", {
        params: { path: { orgId } },
        body: { file: file.name },
        bodySerializer: () => form,
      }),
    );
  });

export const useFetchLinks = () =>
  useJobChange((orgId, body: Schemas["ApiImportInput"]) =>
    unwrap(api.POST("/api/v1/organizations/{orgId}/imports", { params: { path: { orgId } }, body })),
  );

export type JobAct = "cancel" | "verify" | "rollback";

export const useJobAct = () =>
  useJobChange((orgId, { importId, act }: { importId: string; act: JobAct }) =>
    unwrap(
      api.POST(`/api/v1/organizations/{orgId}/imports/{importId}/${act}`, {
        params: { path: { orgId, importId } },
      }),
    ),
  );

const isMade = ({ status }: Schemas["OrganizationExport"]): boolean => status === "done" || status === "failed";

export function useExports() {
  const { _id: orgId } = useOrg();
  return useQuery<Schemas["OrganizationExportPage"]>({
    queryKey: ["exports", orgId],
    refetchInterval: usePolling(({ exports }) => !exports.every(isMade)),
    queryFn: ({ signal }) => readExports(orgId, signal),
  });
}

const readExports = (orgId: string, signal: AbortSignal) =>
  unwrap(api.GET("/api/v1/organizations/{orgId}/exports", { params: { path: { orgId } }, signal }));

/** `newest` is the latest archive that is shown: a request made once another one is shown asks for one more. */
export function useRequestExport(newest: string | undefined) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange({
    mutationFn: () =>
      sendAgainSafely(`new archive ${orgId}`, { newest }, (header) =>
        unwrap(api.POST("/api/v1/organizations/{orgId}/exports", { params: { path: { orgId }, header } })),
      ),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["exports", orgId] }),
  });
}
