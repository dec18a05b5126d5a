/**
 * Searches a list that the API returns page by page and cannot search itself: as long as text is typed, its further
 * pages are read.
 */
import { Search } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { TextField } from "../ui/field";
import { Stack, Text } from "../ui/layout";
import { words } from "../words";
import { useKeys } from "./keys";

/** A shorter list is seen at a glance. */
const ROWS_MIN = 12;
/** Pages that are read for a search. */
const PAGES_MAX = 50;

interface Paged {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  isError: boolean;
  fetchNextPage(): unknown;
}

/** Returns the rows found so far, and the field to show above them. `textsOf` returns what people know a row by. */
export function useListSearch<Row>(
  { data, hasNextPage, isFetching, isError, fetchNextPage }: Paged,
  rows: readonly Row[],
  textsOf: (row: Row) => readonly (string | undefined)[],
): [found: readonly Row[], field: ReactNode] {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const sought = text.trim().toLowerCase();
  const { length } = data?.pages ?? [];
  const wantsNext = sought !== "" && hasNextPage && !isFetching && !isError && length < PAGES_MAX;
  useEffect(() => {
    if (wantsNext && length > 0) void fetchNextPage();
  }, [wantsNext, length, fetchNextPage]);
  useKeys({ "/": () => input.current?.focus() });
  if (rows.length < ROWS_MIN) return [rows, null];
  const found = rows.filter((row) => textsOf(row).some((each) => each?.toLowerCase().includes(sought)));
  const isNone = found.length === 0 && !wantsNext && !isFetching;
  const field = (
    <Stack gap={2}>
      <TextField
        {...{ label: words.ui.search, isLabelHidden: true, icon: Search, ref: input, value: text, onChange: setText }}
        placeholder={words.ui.search}
        type="search"
        autoComplete="off"
      />
      <div role="status">{isNone ? <Text soft>{words.ui.nothingFound}</Text> : null}</div>
    </Stack>
  );
  return [found, field];
}
