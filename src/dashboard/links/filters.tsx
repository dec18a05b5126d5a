/** The list's filters. They are in the URL, so that it can be shared, and the browser's Back works. */
import { Search } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import type { LinkSort, LinkState } from "@/contract/links/link-lists";
import { useDebounced } from "../shell/debounced";
import { Select, Tick } from "../ui/choice";
import { Chip } from "../ui/data";
import { TextField } from "../ui/field";
import { Grow, Row } from "../ui/layout";
import { words } from "../words";
import { useDomains } from "./domains";
import type { LinkFilters } from "./queries";

const TYPED_MS = 200;

const isState = (text: string | null): text is LinkState => text !== null && Object.hasOwn(words.links.states, text);
const isSort = (text: string | null): text is LinkSort => text !== null && Object.hasOwn(words.links.sorts, text);

export interface FilterState {
  filters: LinkFilters;
  isFiltered: boolean;
  set(name: string, value: string | readonly string[]): void;
  clear(): void;
}

let shownLast = "";

/** The list as it was last shown, for the way back from a link. */
export const listPath = (): string => `/links${shownLast && `?${shownLast}`}`;

export function useFilters(): FilterState {
  const [params, setParams] = useSearchParams();
  const query = params.toString();
  useEffect(() => {
    shownLast = query;
  }, [query]);
  const state = params.get("state");
  const sort = params.get("sort");
  const tag = params.getAll("tag");
  const filters: LinkFilters = {
    search: params.get("search") || undefined,
    ...(tag.length > 0 && { tag }),
    state: isState(state) ? state : undefined,
    domainId: params.get("domainId") || undefined,
    ...(params.get("archived") === "yes" && { isArchived: true }),
    sort: isSort(sort) ? sort : undefined,
  };
  return {
    filters,
    isFiltered: ["search", "tag", "state", "domainId", "archived"].some((name) => params.has(name)),
    set: (name, value) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          next.delete(name);
          for (const each of [value].flat()) if (each !== "") next.append(name, each);
          return next;
        },
        { replace: name === "search" },
      ),
    clear: () => setParams({}),
  };
}

export function Filters({ state, input }: { state: FilterState; input: RefObject<HTMLInputElement | null> }) {
  const { links } = words;
  const { filters, set } = state;
  const domains = useDomains().data ?? [];
  return (
    <Row wrap top gap={2}>
      <Grow>
        <SearchField state={state} input={input} />
      </Grow>
      <Select
        {...{ label: links.state, isLabelHidden: true, value: filters.state ?? "" }}
        onChange={(value) => set("state", value)}
        options={[["", links.anyState], ...Object.entries(links.states)]}
      />
      {domains.length > 0 ? (
        <Select
          {...{ label: links.domain, isLabelHidden: true, value: filters.domainId ?? "" }}
          onChange={(value) => set("domainId", value)}
          options={[["", links.anyDomain], ...domains.map(({ _id, hostname }) => [_id, hostname] as const)]}
        />
      ) : null}
      <Select
        {...{ label: links.sort, isLabelHidden: true, value: filters.sort ?? "createdAt" }}
        onChange={(value) => set("sort", value === "createdAt" ? "" : value)}
        options={Object.entries(links.sorts)}
      />
      <Tick
        label={links.archived}
        checked={filters.isArchived ?? false}
        onChange={(checked) => set("archived", checked ? "yes" : "")}
      />
      {filters.tag?.map((tag) => (
        <Chip key={tag} tone="accent" onRemove={() => set("tag", filters.tag?.filter((each) => each !== tag) ?? [])}>
          {links.filteredByTag(tag)}
        </Chip>
      ))}
    </Row>
  );
}

/** Turns the input into a filter shortly after the last keystroke. */
function SearchField({ state, input }: { state: FilterState; input: RefObject<HTMLInputElement | null> }) {
  const { links } = words;
  const given = state.filters.search ?? "";
  const [text, setText] = useState(given);
  const [seen, setSeen] = useState(given);
  const typed = useDebounced(text, TYPED_MS);
  if (seen !== given) {
    setSeen(given);
    // Once the input has become the filter, it may already go on.
    if (given !== typed) setText(given);
  }
  const { set } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the address alone starts no search
  useEffect(() => {
    if (typed !== given) set("search", typed);
  }, [typed]);
  return (
    <TextField
      {...{ label: links.search, isLabelHidden: true, icon: Search, ref: input, value: text, onChange: setText }}
      placeholder={links.searchHint}
      type="search"
    />
  );
}
