/** The measured time of a route and its target. */
export interface Measured {
  name: string;
  status: string;
  /** Target for `p95Ms`; NaN if there is none. */
  wantedMs: number;
  /** The fastest request; more meaningful than `p95Ms` on a busy machine. */
  bestMs: number;
  p95Ms: number;
  /** CPU time per request of the service and Postgres together. */
  cpuMs: number;
}
