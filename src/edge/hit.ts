/** One request for a short URL or a resolve, as it came. What costs something is found out when it is first asked for. */
import type { Server } from "bun";
import { pair, parameterOf, readQuery } from "@/core/query";
import { referrerOrigin } from "@/core/referrer";
import { ROUTED_LENGTH_MAX } from "@/core/routing/facts";
import type { VisitRequest } from "@/core/routing/plain-visit";
import type { ClientAddress } from "@/platform/client-address";
import type { Visitor } from "./visitor-facts";

export class Hit {
  #address: string | undefined;
  #visitor: Visitor | undefined;

  constructor(
    readonly request: Request,
    /** Null where nobody listens. */
    private readonly server: Server<unknown> | null,
    /** As it came, without the `?`. */
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
  userAgent: request.headers.get("user-agent")?.slice(0, ROUTED_LENGTH_MAX.userAgent) ?? "",
  acceptLanguage: request.headers.get("accept-language")?.slice(0, ROUTED_LENGTH_MAX.acceptLanguage) ?? "",
  address,
  referrer: (request.method === "POST" ? carriedReferrer(query) : referrerIn(request)).slice(
    0,
    ROUTED_LENGTH_MAX.referrer,
  ),
  query,
});

const referrerIn = ({ headers }: Pick<VisitRequest, "headers">): string => referrerOrigin(headers.get("referer") ?? "");

/** A form is sent from a page of ours, so its address carries where the visitor came from before. */
const CARRIED_REFERRER = "wm_referrer";

const carriedReferrer = (query: string): string =>
  referrerOrigin(parameterOf(readQuery(query), CARRIED_REFERRER) ?? "");

/** Where a page that this request shows sends its form; undefined for the page's own address. */
export function formActionOf(request: Request): string | undefined {
  const referrer = request.method === "GET" ? referrerIn(request).slice(0, ROUTED_LENGTH_MAX.referrer) : "";
  if (referrer === "") return undefined;
  // No URL parser: a host that is none makes the request's URL a relative one, which it refuses.
  const [, query = ""] = request.url.split(/\?(.*)/s);
  return `?${query === "" ? "" : `${query}&`}${pair(CARRIED_REFERRER, referrer).text}`;
}
