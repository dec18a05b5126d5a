/** One request for a short URL or a resolve. What is expensive to derive is computed on first use. */
import type { Server } from "bun";
import {
  CONTINUED_REFERRER_PARAMETER,
  pair,
  parameterOf,
  REFERRER_PARAMETER,
  readQuery,
  writeQuery,
} from "@/core/query";
import { referrerOrigin } from "@/core/referrer";
import { ROUTED_LENGTH_MAX } from "@/core/routing/facts";
import type { VisitRequest } from "@/core/routing/plain-visit";
import type { ClientAddress } from "@/platform/client-address";
import { routedAcceptLanguage, routedUserAgent, type Visitor } from "./visitor-facts";

export class Hit {
  #address: string | undefined;
  #visitor: Visitor | undefined;

  constructor(
    readonly request: Request,
    /** Null if there is no server, as in tests. */
    private readonly server: Server<unknown> | null,
    /** The query as received, without the `?`. */
    readonly query: string,
    /** Unix milliseconds. */
    readonly at: number,
    private readonly addressOf: ClientAddress,
  ) {}

  get address(): string {
    this.#address ??= this.server ? this.addressOf(this.request, this.server) : "";
    return this.#address;
  }

  get visitor(): Visitor {
    this.#visitor ??= visitorOf(this.request, this.address, this.query);
    return this.#visitor;
  }
}

export const visitorOf = (request: VisitRequest, address: string, query: string): Visitor => ({
  userAgent: routedUserAgent(request.headers),
  acceptLanguage: routedAcceptLanguage(request.headers),
  address,
  referrer: (request.method === "POST" ? carriedReferrer(query, REFERRER_PARAMETER) : referrerIn(request)).slice(
    0,
    ROUTED_LENGTH_MAX.referrer,
  ),
  query,
});

const referrerIn = ({ headers }: Pick<VisitRequest, "headers">): string => referrerOrigin(headers.get("referer") ?? "");

/** The visitor of a visit that began in another browser, which has put the page that it came from into the URL. */
export const continuedVisitor = (visitor: Visitor): Visitor => ({
  ...visitor,
  referrer: carriedReferrer(visitor.query, CONTINUED_REFERRER_PARAMETER),
});

/** A form is sent from a page of the service, so its URL carries the page that originally referred the visitor. */
const carriedReferrer = (query: string, parameter: string): string =>
  referrerOrigin(parameterOf(readQuery(query), parameter) ?? "");

/**
 * Returns the URL to which a page shown for this request posts its form; undefined for the page's own URL. A page that
 * the URL carries already is that of another visitor, who shared the URL of a form.
 */
export function formActionOf(request: Request): string | undefined {
  if (request.method !== "GET") return undefined;
  const referrer = referrerIn(request).slice(0, ROUTED_LENGTH_MAX.referrer);
  // Not parsed as a URL: with an invalid Host header, the request's URL is a relative one, which the parser rejects.
  const [, query = ""] = request.url.split(/\?(.*)/s);
  const given = readQuery(query);
  const kept = given.filter(({ key }) => key !== REFERRER_PARAMETER);
  if (referrer === "" && kept.length === given.length) return undefined;
  return `?${writeQuery(referrer === "" ? kept : [...kept, pair(REFERRER_PARAMETER, referrer)])}`;
}
