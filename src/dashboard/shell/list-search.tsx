/**
 * Searches a list that the API cannot search itself. If the API returns it page by page, its further pages are read as
 * long as text is typed. The URL keeps the text, so that the browser's Back leads to what was found.
 */
import { Search } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { TextField } from "../ui/field";
import { countText } from "../ui/format";
import { Stack, Text } from "../ui/layout";
import { words } from "../words";
import { useDebounced } from "./debounced";
import { useKeys } from "./keys";

/** A shorter list is seen at a glance. */
const ROWS_MIN = 12;
/** Pages that are read for a search. */
const PAGES_MAX = 50;
const PARAMETER = "search";
const TYPED_MS = 200;

interface Paged {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  isError: boolean;
  fetchNextPage(): unknown;
}

/** For lists without pages. */
export const WHOLE: Paged = {
  ...{ data: undefined, hasNextPage: false, isFetching: false, isError: false },
  fetchNextPage: () => undefined,
};

/** Returns the rows found so far, and the field to show above them. `textsOf` returns what people know a row by. */
export function useListSearch<Row>(
  { data, hasNextPage, isFetching, isError, fetchNextPage }: Paged,
  rows: readonly Row[],
  textsOf: (row: Row) => readonly (string | undefined)[],
): [found: readonly Row[], field: ReactNode] {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useTextInUrl();
  const sought = text.trim().toLowerCase();
  const { length } = data?.pages ?? [];
  const wantsNext = sought !== "" && hasNextPage && !isFetching && !isError && length < PAGES_MAX;
  useEffect(() => {
    if (wantsNext && length > 0) void fetchNextPage();
  }, [wantsNext, length, fetchNextPage]);
  useKeys({ "/": () => input.current?.focus() });
  if (rows.length < ROWS_MIN) return [rows, null];
  const found = rows.filter((row) => textsOf(row).some((each) => each?.toLowerCase().includes(sought)));
  const isOver = sought !== "" && !wantsNext && !isFetching;
  const field = (
    <Stack gap={2}>
      <TextField
        {...{ label: words.ui.search, isLabelHidden: true, icon: Search, ref: input, value: text, onChange: setText }}
        placeholder={words.ui.search}
        type="search"
        autoComplete="off"
      />
      <div role="status">
        {isOver && found.length === 0 ? <Text soft>{words.ui.nothingFound}</Text> : null}
        {/* These lists have the newest first. */}
        {isOver && hasNextPage ? <Text soft>{words.ui.searchedNewest(countText(rows.length))}</Text> : null}
      </div>
    </Stack>
  );
  return [found, field];
}

/** Returns the text, and puts it into the URL shortly after the last keystroke. A link and Back change both. */
function useTextInUrl(): [text: string, set: (text: string) => void] {
  const [params, setParams] = useSearchParams();
  const given = params.get(PARAMETER) ?? "";
  const [text, setText] = useState(given);
  /** What the URL has as far as this field knows. */
  const [known, setKnown] = useState(given);
  const typed = useDebounced(text, TYPED_MS);
  if (known !== given) {
    setKnown(given);
    setText(given);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the address alone starts no search
  useEffect(() => {
    // What was typed before a link or Back was followed is over.
    if (typed === given || typed !== text) return;
    const put = (before: URLSearchParams) => {
      const next = new URLSearchParams(before);
      if (typed === "") next.delete(PARAMETER);
      else next.set(PARAMETER, typed);
      return next;
    };
    setKnown(typed);
    setParams(put, { replace: true });
  }, [typed]);
  return [text, setText];
}
