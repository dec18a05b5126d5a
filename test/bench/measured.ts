/** What a route took beside what it may take. */
export interface Measured {
  name: string;
  status: string;
  /** What the service is to answer within, 95 of 100 times; NaN where nobody has said. */
  wantedMs: number;
  /** On a busy machine this says more than the other. */
  bestMs: number;
  p95Ms: number;
  /** Of the process and Postgres together, for a request. */
  cpuMs: number;
}
