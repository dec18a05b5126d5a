/** The client of all queries of the dashboard. */
import type { InvalidateOptions, InvalidateQueryFilters, QueryKey } from "@tanstack/react-query";
import { NotingClient } from "./asked-for";

export class DashboardQueries extends NotingClient {
  /**
   * Unlike the library, also sends the request of a query again that has no data yet: the response under way may lack the
   * change that has just been made. The library would wait for that response and take it as up to date. Only changes
   * name what they invalidate; after a lost connection, what is under way is up to date.
   */
  override invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    if (filters?.queryKey && filters.refetchType === undefined) {
      for (const query of this.getQueryCache().findAll({ ...filters, type: "active" })) {
        const { data, fetchStatus } = query.state;
        // The request that replaces it is sent below, so the screen learns nothing of the cancellation.
        if (data === undefined && fetchStatus !== "idle") void query.cancel({ silent: true });
      }
    }
    return super.invalidateQueries(filters, options);
  }
}
