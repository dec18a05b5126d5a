import type { CompiledLink, Route } from "@/core/routing/compiled-link";

/** A visit that was admitted and routed. */
export interface RoutedVisit {
  link: CompiledLink;
  route: Route;
  request: Request;
  /** The query as received, without the `?`. */
  query: string;
  userAgent: string;
  /** Origin of the referring page; empty for a direct visit. */
  referrer: string;
  clickId: string;
  /** When the visit was made, in Unix milliseconds. */
  at: number;
  /** When it is answered: later than `at` once a form was filled in. */
  answeredAt: number;
  visitorKey(): string;
}
