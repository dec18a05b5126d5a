/** Tokens that act for one person in this organization: the user's own, and for admins everybody's. */
import { KeySquare } from "lucide-react";
import { api, type Schemas, unwrap } from "../api/client";
import { sendAgainSafely } from "../api/sent-again";
import { useKeptInput } from "../drafts/kept-input";
import { useMemberSearch } from "../settings/member-queries";
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
import { curlOfToken } from "./curl";
import { TabList } from "./tab-list";
import { developersWords as words } from "./words";

type Scope = Schemas["AccessToken"]["scopes"][number];

const PAGE = 100;
const BLANK: CredentialInput<Scope> = { name: "", scopes: [], days: "90" };

export default function AccessTokens() {
  const { accessTokens: said } = words.developers;
  const { may } = useOrg();
  const query = useTokens();
  const revoke = useRevoke();
  const tokens = query.data?.pages.flatMap((page) => page.accessTokens) ?? [];
  const memberOf = useMemberSearch("_id", may("admin") ? tokens.map(({ membershipId }) => membershipId) : []);
  const [creating, create, close] = useDialog("create");
  const ownerOf = ({ membershipId }: Schemas["AccessToken"]) => {
    const member = memberOf(membershipId);
    return member === null ? said.someone : member?.email;
  };
  const [found, search] = useListSearch(query, tokens, (token) => [token.name, token.prefix, ownerOf(token)]);
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton />;
  return (
    <Stack>
      <TabList {...{ icon: KeySquare, said, search }} isEmpty={tokens.length === 0} onCreate={() => create()}>
        <Credentials
          label={words.developers.tabs.accessTokens}
          credentials={found}
          revoke={revoke}
          {...(may("admin") && { ownerOf })}
        />
      </TabList>
      <ShowMore of={query} />
      {creating === undefined ? null : <Create onClose={close} />}
    </Stack>
  );
}

function Create({ onClose }: { onClose(): void }) {
  const { accessTokens: said, credentials } = words.developers;
  const { _id: orgId } = useOrg();
  const input = useKeptInput(`new access token ${orgId}`, BLANK);
  const create = useResourceMutation("access-tokens", (body: Schemas["AccessTokenInput"]) =>
    sendAgainSafely(`new access token ${orgId}`, body, (header) =>
      unwrap(api.POST("/api/v1/organizations/{orgId}/access-tokens", { params: { path: { orgId }, header }, body })),
    ),
  );
  const show = ({ token, scopes }: Schemas["AccessTokenCreated"]) => {
    input.clear();
    showSecret({
      ...{ title: said.created, text: credentials.once, label: said.token, secret: token },
      children: <CopyText label={credentials.tryIt} text={curlOfToken(token, scopes, orgId)} />,
    });
  };
  return (
    <CredentialForm
      title={said.create}
      input={input}
      scopes={optionsOf<Scope>(said.scopes)}
      isEndless={false}
      isBusy={create.isPending}
      error={create.error}
      onSend={(values) => create.mutate(values, { onSuccess: show, goOn: onClose })}
      onClose={onClose}
    />
  );
}

function useTokens() {
  const { _id: orgId } = useOrg();
  return usePagedQuery(["access-tokens", orgId, "list"], (page, signal) =>
    unwrap(
      api.GET("/api/v1/organizations/{orgId}/access-tokens", {
        params: { path: { orgId }, query: { page, limit: PAGE } },
        signal,
      }),
    ),
  );
}

function useRevoke() {
  const { _id: orgId } = useOrg();
  return useResourceMutation("access-tokens", (tokenId: string) =>
    unwrap(
      api.DELETE("/api/v1/organizations/{orgId}/access-tokens/{tokenId}", { params: { path: { orgId, tokenId } } }),
    ),
  );
}
