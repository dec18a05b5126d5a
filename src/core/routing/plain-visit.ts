/**
 * The simplest kind of visit, shared by the code that reads it from a connection's bytes and the code that routes it:
 * a `GET` of a short URL whose link shows no page and needs no input, or an app's request for such a link's
 * destination.
 */
import type { Route } from "./route";

/** Clients that fetch ahead of a person say so in one of these headers. */
export const PURPOSE_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;

/** The request headers that a visit without a page reads, in addition to the client's address. */
export const VISIT_HEADERS = ["user-agent", "accept-language", "referer", "sec-ch-ua", ...PURPOSE_HEADERS] as const;

/** The parts of a request that such a visit reads. */
export interface VisitRequest {
  readonly method: string;
  readonly headers: { get(name: (typeof VISIT_HEADERS)[number]): string | null };
}

export interface PlainVisitRequest extends VisitRequest {
  /** As received, like the path. Together the link's cache address if the short URL is in its usual form. */
  readonly host: string;
  readonly path: string;
  /** As received, without the `?`. */
  readonly query: string;
}

interface Recorded {
  /**
   * Resolves to true once the click would survive a crash of this process. Never rejects. Visits of one event-loop
   * turn share this promise.
   */
  written: Promise<boolean>;
}

/** The visitor is redirected to the destination. */
export interface RedirectedVisit extends Recorded {
  route: Route;
  location: string;
}

/** An app gets the destination as JSON. */
export interface AppAnswer extends Recorded {
  json: AppJson;
}

export interface AppJson {
  readonly text: string;
  /** True if others get the same object, so that what is made of it can be kept. */
  readonly isForAll: boolean;
}

/** Returns undefined, without side effects, if the visit is not of this kind. */
export type PlainVisit = (asked: PlainVisitRequest, addressOf: () => string) => RedirectedVisit | AppAnswer | undefined;
