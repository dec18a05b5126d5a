/**
 * Decides whether a request comes from the operator: from the machine itself, or with `METRICS_TOKEN` as a bearer
 * token or, for programs that accept only a URL, as the password of basic authentication.
 *
 * A proxy on the machine also connects from it. So a request with any forwarding header is treated as a proxy's; the
 * content of these headers is not trusted. The host name must be one of the machine's own: a browser on the machine
 * sends another one if a page elsewhere makes its own name resolve to this machine.
 *
 * nginx, by default, forwards neither the name nor the client's address. It is recognized because it closes each
 * connection. Some legitimate programs on the machine do so too (Python's `urllib`, BusyBox's `wget`): once a token
 * is set, they must send it.
 */
import { timingSafeEqual } from "node:crypto";
import type { Server } from "bun";
import type { Config } from "@/config";
import { closesConnection } from "./headers/connection";

export type IsOperator = (request: Request) => boolean;

type Settings = Pick<Config, "metricsToken" | "clientIpHeader">;
type Peers = Pick<Server<unknown>, "requestIP">;

export function operatorCheck({ metricsToken, clientIpHeader }: Settings, server: () => Peers | null): IsOperator {
  const forwarding = clientIpHeader === null ? FORWARDING_HEADERS : [...FORWARDING_HEADERS, clientIpHeader];
  const expected = metricsToken === null ? null : digest(metricsToken);

  return (request) => isFromHere(request) || (expected !== null && hasToken(request, expected));

  function isFromHere(request: Request): boolean {
    const peer = server()?.requestIP(request)?.address ?? "";
    const isForwarded = forwarding.some((name) => request.headers.has(name));
    return (
      LOOPBACK.test(peer) && isLocalName(request) && !isForwarded && !(expected !== null && closesConnection(request))
    );
  }
}

const FORWARDING_HEADERS: readonly string[] = [
  ...["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"],
  ...["x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "cf-connecting-ip", "fly-client-ip"],
];

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/i;
const LOCAL_NAME = /^(?:localhost|(?:.+\.)localhost|127(?:\.\d+){3}|\[::1\])$/;

const isLocalName = ({ url }: Request): boolean => LOCAL_NAME.test(URL.parse(url)?.hostname ?? "");

function hasToken({ headers }: Request, expected: Uint8Array): boolean {
  const [, scheme = "", credentials = ""] = /^(\S+) +(\S+)$/.exec(headers.get("authorization") ?? "") ?? [];
  const token = scheme.toLowerCase() === "basic" ? basicPassword(credentials) : credentials;
  return /^(?:bearer|basic)$/i.test(scheme) && timingSafeEqual(digest(token), expected);
}

function basicPassword(credentials: string): string {
  const pair = Buffer.from(credentials, "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}

/** Hashes the text, because `timingSafeEqual` needs equal lengths. */
const digest = (text: string): Uint8Array => new Bun.CryptoHasher("sha256").update(text).digest();
