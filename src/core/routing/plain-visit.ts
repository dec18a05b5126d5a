/**
 * The plainest visit, as what reads it from the bytes of a connection and what routes it have it in common: a `GET` of a
 * short URL whose link shows nobody a page and asks for nothing, or an app's question where such a link leads.
 */
import type { Route } from "./route";

/** Whoever fetches ahead of a person says so in one of these. */
export const PURPOSE_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;

/** What a visit without a page reads of its request's headers, beside the client's address. */
export const VISIT_HEADERS = ["user-agent", "accept-language", "referer", "sec-ch-ua", ...PURPOSE_HEADERS] as const;

/** As much of a request as such a visit reads. */
export interface VisitRequest {
  readonly method: string;
  readonly headers: { get(name: (typeof VISIT_HEADERS)[number]): string | null };
}

export interface PlainVisitRequest extends VisitRequest {
  /** The host and the path as they came: the link's address, if the short URL is well written. */
  readonly key: string;
  /** As it came, without the `?`. */
  readonly query: string;
}

interface Recorded {
  /** Resolves once the click survives the process. Never rejects; visits of one event-loop turn share it. */
  written: Promise<boolean>;
}

/** The visitor leaves for the destination. */
export interface Leaving extends Recorded {
  route: Route;
  location: string;
}

/** An app is told the destination, in JSON. */
export interface AppAnswer extends Recorded {
  json: string;
}

/** Undefined, with nothing done, where the visit is not of this kind. */
export type PlainVisit = (asked: PlainVisitRequest, addressOf: () => string) => Leaving | AppAnswer | undefined;
