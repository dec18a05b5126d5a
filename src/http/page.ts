/** Lists come in pages, from 1, newest first (product §2). */
export const PAGE_LIMIT = 25;

export const pageOf = (page: number, limit: number, total: number) => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
});
