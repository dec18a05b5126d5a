/** API keys for programs: servers that create links, apps that send events. */
import { KeyRound } from "lucide-react";
import { api, type Schemas, unwrap } from "../api/client";
import { sendAgainSafely } from "../api/sent-again";
import { useKeptInput } from "../drafts/kept-input";
import { usePagedQuery, useResourceMutation } from "../shell/api-queries";
import { useDialog } from "../shell/dialogs";
import { useListSearch } from "../shell/list-search";
import { showSecret } from "../shell/secret";
import { useOrg } from "../shell/session";
import { CopyText } from "../ui/button";
import { optionsOf } from "../ui/choice";
import { Failure, ShowMore, Skeleton } from "../ui/data";
import { Stack } from "../ui/layout";
import { CredentialForm, type CredentialInput } from "./credential-form";
import { Credentials } from "./credentials";
import { curlOfKey } from "./curl";
import { TabList } from "./tab-list";
import { developersWords as words } from "./words";

type Scope = Schemas["ApiKey"]["scopes"][number];

const PAGE = 100;
const BLANK: CredentialInput<Scope> = { name: "", scopes: [], days: "" };

export default function ApiKeys() {
  const { apiKeys: said } = words.developers;
  const query = useApiKeys();
  const revoke = useRevoke();
  const [creating, create, close] = useDialog("create");
  const keys = query.data?.pages.flatMap((page) => page.apiKeys) ?? [];
  const [found, search] = useListSearch(query, keys, ({ name, prefix }) => [name, prefix]);
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton />;
  return (
    <Stack>
      <TabList {...{ icon: KeyRound, said, search }} isEmpty={keys.length === 0} onCreate={() => create()}>
        <Credentials label={words.developers.tabs.apiKeys} credentials={found} revoke={revoke} />
      </TabList>
      <ShowMore of={query} />
      {creating === undefined ? null : <Create onClose={close} />}
    </Stack>
  );
}

function Create({ onClose }: { onClose(): void }) {
  const { apiKeys: said, credentials } = words.developers;
  const { _id: orgId } = useOrg();
  const input = useKeptInput(`new API key ${orgId}`, BLANK);
  const create = useResourceMutation("api-keys", (body: Schemas["ApiKeyInput"]) =>
    sendAgainSafely(`new API key ${orgId}`, body, (header) =>
      unwrap(api.POST("/api/v1/organizations/{orgId}/api-keys", { params: { path: { orgId }, header }, body })),
    ),
  );
  const show = ({ key, scopes }: Schemas["ApiKeyCreated"]) => {
    input.clear();
    showSecret({
      ...{ title: said.created, text: credentials.once, label: said.key, secret: key },
      children: <CopyText label={credentials.tryIt} text={curlOfKey(key, scopes)} />,
    });
  };
  return (
    <CredentialForm
      title={said.create}
      input={input}
      scopes={optionsOf<Scope>(said.scopes)}
      isEndless
      isBusy={create.isPending}
      error={create.error}
      onSend={(values) => create.mutate(values, { onSuccess: show, goOn: onClose })}
      onClose={onClose}
    />
  );
}

function useApiKeys() {
  const { _id: orgId } = useOrg();
  return usePagedQuery(["api-keys", orgId, "list"], (page, signal) =>
    unwrap(
      api.GET("/api/v1/organizations/{orgId}/api-keys", {
        params: { path: { orgId }, query: { page, limit: PAGE } },
        signal,
      }),
    ),
  );
}

function useRevoke() {
  const { _id: orgId } = useOrg();
  return useResourceMutation("api-keys", (keyId: string) =>
    unwrap(api.DELETE("/api/v1/organizations/{orgId}/api-keys/{keyId}", { params: { path: { orgId, keyId } } })),
  );
}
