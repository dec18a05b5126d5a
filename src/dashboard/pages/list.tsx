import { PanelTop, Plus } from "lucide-react";
import { Link as Anchor, useLocation, useSearch } from "wouter";
import { useListSearch } from "../shell/list-search";
import { useOrg } from "../shell/session";
import { CopyButton, LinkButton } from "../ui/button";
import { Chip, Empty, Failure, ShowMore, Skeleton } from "../ui/data";
import { Card, Row, Screen, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { CreatePage } from "./create";
import { type BioPage, useBioPages } from "./queries";
import { pagesWords as words } from "./words";

export function PageList({ isCreating = false }: { isCreating?: boolean }) {
  const { may } = useOrg();
  const [, navigate] = useLocation();
  const query = useSearch();
  const asked = useBioPages();
  const { data, error, refetch } = asked;
  const pages = data?.pages.flatMap(({ bioPages }) => bioPages);
  const [found, search] = useListSearch(asked, pages ?? [], ({ title, url }) => [title, url]);
  const { create, empty } = words.pages;
  const button = may("member") ? (
    <LinkButton to={`/pages/new${query && `?${query}`}`} kind="primary" icon={Plus}>
      {create}
    </LinkButton>
  ) : undefined;
  return (
    <Screen title={words.screens.pages} actions={pages?.length ? button : undefined}>
      {search}
      {pages ? (
        <Card padded={false}>
          {pages.length === 0 ? (
            <Empty icon={PanelTop} title={empty.title} text={empty.text} action={button} />
          ) : (
            <Pages pages={found} />
          )}
        </Card>
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton />
      )}
      <ShowMore of={asked} />
      {isCreating && may("member") ? (
        <CreatePage onClose={() => navigate(`/pages${location.search}`, { replace: true })} />
      ) : null}
    </Screen>
  );
}

const Pages = ({ pages }: { pages: readonly BioPage[] }) => (
  <Table
    label={words.screens.pages}
    rows={pages}
    keyOf={({ _id }) => _id}
    columns={[
      {
        title: words.pages.title,
        cell: ({ _id, title }) => (
          <Anchor href={`/pages/${_id}`}>
            <bdi>{title}</bdi>
          </Anchor>
        ),
      },
      {
        title: words.pages.url,
        cell: ({ url, title }) => (
          <Row gap={1}>
            <Text soft>{url.replace(/^https?:\/\//, "")}</Text>
            <CopyButton small text={url} label={words.pages.copyUrl(title)} />
          </Row>
        ),
      },
      { title: words.pages.items, isNumber: true, cell: ({ links }) => links.filter(leadsOn).length },
      { title: words.pages.state, cell: (page) => <State page={page} /> },
    ]}
  />
);

const leadsOn = ({ display }: BioPage["links"][number]): boolean => display !== "heading";

const State = ({ page: { isActive } }: { page: BioPage }) => (
  <Chip {...(isActive && { tone: "good" })}>{isActive ? words.pages.active : words.pages.inactive}</Chip>
);
