/** One request for a short URL or a resolve. What is expensive to derive is computed on first use. */
import type { Server } from "bun";
import { pair, parameterOf, REFERRER_PARAMETER, readQuery } from "@/core/query";
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
  referrer: (request.method === "POST" ? carriedReferrer(query) : referrerIn(request)).slice(
    0,
    ROUTED_LENGTH_MAX.referrer,
  ),
  query,
});

const referrerIn = ({ headers }: Pick<VisitRequest, "headers">): string => referrerOrigin(headers.get("referer") ?? "");

/** A form is sent from a page of the service, so its URL carries the page that originally referred the visitor. */
const carriedReferrer = (query: string): string =>
  referrerOrigin(parameterOf(readQuery(query), REFERRER_PARAMETER) ?? "");

/** Returns the URL to which a page shown for this request posts its form; undefined for the page's own URL. */
export function formActionOf(request: Request): string | undefined {
  const referrer = request.method === "GET" ? referrerIn(request).slice(0, ROUTED_LENGTH_MAX.referrer) : "";
  if (referrer === "") return undefined;
  // Not parsed as a URL: with an invalid Host header, the request's URL is a relative one, which the parser rejects.
  const [, query = ""] = request.url.split(/\?(.*)/s);
  return `?${query === "" ? "" : `${query}&`}${pair(REFERRER_PARAMETER, referrer).text}`;
}
