import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Schemas } from "../api/client";
import { useCurrentRow } from "../shell/current-row";
import { useKeys } from "../shell/keys";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { Failure, NoMore, Settling, Skeleton } from "../ui/data";
import { Card, Row, Screen, Stack, Text } from "../ui/layout";
import { lazyPart, Part } from "../ui/part";
import { VirtualRows } from "../ui/virtual-rows";
import { words } from "../words";
import { Box } from "./box";
import { type Selection, useSelection } from "./chosen";
import { DeleteLink } from "./delete-link";
import { type FilterState, Filters, useFilters } from "./filters";
import { FoundInArchive, linksCounted, NoneShown } from "./none";
import { type Link, type ServedLink, useLinks } from "./queries";
import { LinkRow } from "./row";
import { SelectShown } from "./select-shown";
import { useTrends } from "./trends";

const SelectionBar = lazyPart(() => import("./selected/bar"), "selection");

const ROW_PX = 57;

export function LinkList({ isCreating = false }: { isCreating?: boolean }) {
  const { may } = useOrg();
  const [, navigate] = useLocation();
  const box = useRef<HTMLInputElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const state = useFilters();
  const create = () => box.current?.focus();
  useKeys({ c: create, "/": () => search.current?.focus() });
  useEffect(() => {
    if (isCreating) box.current?.focus();
  }, [isCreating]);
  return (
    <Screen title={words.screens.links}>
      {may("member") ? (
        <Box
          isOpen={isCreating}
          onToggle={() => navigate(`${isCreating ? "/links" : "/links/new"}${location.search}`)}
          input={box}
        />
      ) : null}
      <Filters state={state} input={search} />
      <Rows state={state} onCreate={create} />
    </Screen>
  );
}

const keyOf = ({ _id }: ServedLink): string => _id;

interface RowsProps {
  state: FilterState;
  onCreate(): void;
}

/** The question about a deletion stands beside the list, which ends with its last link. */
function Rows(props: RowsProps) {
  const [deleting, setDeleting] = useState<Link>();
  const selection = useSelection();
  return (
    <>
      <List {...{ ...props, selection, onDelete: setDeleting }} />
      {deleting ? (
        <DeleteLink
          link={deleting}
          onClose={() => setDeleting(undefined)}
          onDone={() => selection.drop([deleting._id])}
        />
      ) : null}
    </>
  );
}

interface ListProps extends RowsProps {
  selection: Selection;
  onDelete(link: Link): void;
}

function List({ state, onCreate, selection, onDelete }: ListProps) {
  const { may } = useOrg();
  const [, navigate] = useLocation();
  const query = useLinks(state.filters);
  const {
    data,
    error,
    isPending,
    isPlaceholderData,
    hasNextPage,
    isFetchingNextPage,
    isFetchNextPageError,
    fetchNextPage,
  } = query;
  const links = useMemo(() => data?.pages.flatMap((page) => page.links) ?? [], [data]);
  const trends = useTrends(links);
  const [current, step] = useCurrentRow(links, keyOf);
  const chosen = links[current];
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    // Only a member's rows have a check box.
    x: () => chosen && may("member") && selection.toggle(chosen),
    o: () => chosen && navigate(`/links/${chosen._id}`),
    e: () => chosen && navigate(`/links/${chosen._id}`),
  });
  if (error && !data) return <NotRead error={error} state={state} onRetry={() => void query.refetch()} />;
  if (isPending) return <Card padded={false}>{<Skeleton rows={8} />}</Card>;
  if (links.length === 0)
    return (
      <Settling isOld={isPlaceholderData}>
        <Card>
          <NoneShown state={state} onCreate={onCreate} />
        </Card>
      </Settling>
    );
  return (
    <Settling isOld={isPlaceholderData}>
      <Head {...{ state, selection, links, hasNextPage }} first={data?.pages[0]} />
      <Card padded={false}>
        <VirtualRows
          rows={links}
          rowPx={ROW_PX}
          keyOf={keyOf}
          current={current}
          label={words.screens.links}
          onEnd={() => hasNextPage && !isFetchingNextPage && !isFetchNextPageError && void fetchNextPage()}
        >
          {(link, index) => (
            <LinkRow
              link={link}
              trend={trends.get(link._id)}
              isCurrent={index === current}
              isSelected={selection.has(link)}
              onSelect={selection.toggle}
              onTag={(tag) => state.set("tag", [...new Set([...(state.filters.tag ?? []), tag])])}
              onDelete={onDelete}
            />
          )}
        </VirtualRows>
      </Card>
      <NoMore of={query} />
    </Settling>
  );
}

interface HeadProps extends Pick<ListProps, "state" | "selection"> {
  links: readonly Link[];
  hasNextPage: boolean;
  first: Schemas["LinkPage"] | undefined;
}

/** How many links there are, and what can be done with those that are selected. */
function Head({ state, selection, links, hasNextPage, first }: HeadProps) {
  const { filters } = state;
  const { may } = useOrg();
  return (
    <>
      <Row wrap gap={3}>
        {may("member") ? <SelectShown selection={selection} shown={links} /> : null}
        {first ? <Text soft>{linksCounted(first)}</Text> : null}
        {filters.search ? <FoundInArchive state={state} /> : null}
      </Row>
      {selection.ids.length > 0 ? (
        <Part waiting={<Skeleton rows={1} />}>
          <SelectionBar {...{ selection, filters, shown: links, total: hasNextPage ? first?.total : undefined }} />
        </Part>
      ) : null}
    </>
  );
}

/** A filter in the URL may be what the API refuses, such as one by a domain that has been deleted. */
const NotRead = ({ error, state, onRetry }: { error: unknown; state: FilterState; onRetry(): void }) => (
  <Stack gap={2}>
    <Failure error={error} onRetry={onRetry} />
    {state.isFiltered ? (
      <Row>
        <Button onClick={state.clear}>{words.links.none.clear}</Button>
      </Row>
    ) : null}
  </Stack>
);
