import { useMemo, useState } from "react";

/** Limit of the API. */
const LINKS_MAX = 100;

/**
 * Groups links into requests. Links that appear later make a group of their own, so that what is already known stays
 * valid. A group is dropped when new links arrive and none of its own are left.
 */
export function useChunks(linkIds: readonly string[]): readonly string[][] {
  const [chunks, setChunks] = useState<readonly string[][]>([]);
  const added = useMemo(() => {
    const asked = new Set(chunks.flat());
    return [...new Set(linkIds)].filter((id) => !asked.has(id));
  }, [chunks, linkIds]);
  if (added.length === 0) return chunks;
  const shown = new Set(linkIds);
  const next = [...chunks.filter((ids) => ids.some((id) => shown.has(id))), ...chunked(added)];
  setChunks(next);
  return next;
}

const chunked = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / LINKS_MAX) }, (_, index) =>
    ids.slice(index * LINKS_MAX, (index + 1) * LINKS_MAX),
  );
