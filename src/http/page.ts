/** Lists come in pages, from 1, newest first. */
export const PAGE_LIMIT = 25;

/** An estimated total is marked, and `totalPages` goes by it. */
export const pagingOf = (page: number, limit: number, total: number, isEstimate = false) => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  ...(isEstimate ? { totalIsEstimate: true } : {}),
});
