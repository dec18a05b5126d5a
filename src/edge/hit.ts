/** One request for a short URL or a resolve, as it came. What costs something is found out when it is first asked for. */
import type { Server } from "bun";
import { ROUTED_LENGTH_MAX } from "@/core/routing/facts";
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
    this.#visitor ??= visitorOf(this.request.headers, this.address);
    return this.#visitor;
  }
}

const visitorOf = (headers: Headers, address: string): Visitor => ({
  userAgent: headers.get("user-agent")?.slice(0, ROUTED_LENGTH_MAX.userAgent) ?? "",
  acceptLanguage: headers.get("accept-language")?.slice(0, ROUTED_LENGTH_MAX.acceptLanguage) ?? "",
  address,
});
