import type { CompiledLink, Route } from "@/core/routing/compiled-link";

/** A visit that was let in and routed. */
export interface RoutedVisit {
  link: CompiledLink;
  route: Route;
  request: Request;
  /** As it came, without the `?`. */
  query: string;
  userAgent: string;
  clickId: string;
  /** When the visit was, Unix milliseconds. */
  at: number;
  visitorKey(): string;
}
