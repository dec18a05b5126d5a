/** Default page size. Lists are paginated from page 1, newest first. */
export const PAGE_LIMIT = 25;

/** Returns the paging fields of a response. An estimated total is marked as such, and `totalPages` is based on it. */
export const pagingOf = (page: number, limit: number, total: number, isEstimate = false) => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  ...(isEstimate ? { totalIsEstimate: true } : {}),
});
