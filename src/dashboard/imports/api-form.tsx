import { useLocation } from "wouter";
import type { ApiSource } from "@/contract/links/import-api";
import { faultsOf } from "../api/failures";
import { useKeptInput } from "../drafts/kept-input";
import { useOrg } from "../shell/session";
import { Select, Tick } from "../ui/choice";
import { TextField } from "../ui/field";
import { toast } from "../ui/toasts";
import { FormFrame } from "./form-frame";
import { useFetchLinks } from "./queries";
import { importsWords as words } from "./words";

const SOURCES: readonly ApiSource[] = ["dub", "bitly", "shlink", "shortio", "rebrandly", "yourls", "kutt"];
/** Services that customers run on their own servers. */
const OWN_SERVERS: readonly ApiSource[] = ["shlink", "yourls", "kutt"];
const NO_CREDENTIALS = { apiKey: "", baseUrl: "", workspace: "" };
const BLANK: typeof NO_CREDENTIALS & { source: ApiSource; hasVisits: boolean } = {
  ...{ ...NO_CREDENTIALS, source: "dub", hasVisits: false },
};

/** The service encrypts the key and deletes it when the job ends; no response ever contains it. */
export function ApiForm() {
  const { imports } = words;
  const said = imports.api;
  const [, navigate] = useLocation();
  const { values, set } = useKeptInput(`import through an API ${useOrg()._id}`, BLANK);
  const { source, hasVisits } = values;
  const visits = source === "shlink" && hasVisits ? { formerClicksByDay: true } : {};
  const fetching = useFetchLinks();
  const isOwn = OWN_SERVERS.includes(source);
  const field = (name: keyof typeof NO_CREDENTIALS) => ({
    ...{ value: values[name], fault: faultsOf(fetching.error)[`credentials.${name}`] },
    onChange: (value: string) => set({ [name]: value }),
  });
  const credentials = {
    apiKey: values.apiKey.trim(),
    ...(isOwn && { baseUrl: values.baseUrl.trim() }),
    ...(source === "rebrandly" && values.workspace && { workspace: values.workspace.trim() }),
  };
  return (
    <FormFrame
      text={said.text}
      error={fetching.error}
      fields={["options.source", "credentials.apiKey", "credentials.baseUrl", "credentials.workspace"]}
      isBusy={fetching.isPending}
      ticks={
        source === "shlink" ? (
          <Tick label={said.visits} checked={hasVisits} onChange={(next) => set({ hasVisits: next })} />
        ) : null
      }
      onSend={(options, onStarted) =>
        fetching.mutate(
          { credentials, options: { ...options, ...visits, source } },
          {
            onSuccess() {
              onStarted();
              set(options.dryRun ? { apiKey: "" } : NO_CREDENTIALS);
              toast({ text: said.started(imports.sources[source]) });
            },
            goOn: (job) => navigate(`/settings/imports/${job._id}`),
          },
        )
      }
    >
      <Select
        {...{ label: imports.source, value: source }}
        onChange={(next) => set({ source: next })}
        options={SOURCES.map((each) => [each, imports.sources[each]] as const)}
      />
      <TextField
        {...field("apiKey")}
        label={source === "yourls" ? said.signature : said.apiKey}
        hint={said.keyHint}
        type="password"
        autoComplete="new-password"
        required
      />
      {isOwn ? (
        <TextField {...field("baseUrl")} label={said.baseUrl} placeholder="https://" inputMode="url" required />
      ) : null}
      {source === "rebrandly" ? (
        <TextField {...field("workspace")} label={said.workspace} hint={said.workspaceHint} autoComplete="off" />
      ) : null}
    </FormFrame>
  );
}
