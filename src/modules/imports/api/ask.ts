/**
 * Sends one request to another service's API. It follows no redirect, because the key is meant for the named host
 * only. Returns the response, or a fault and, if known, how long to wait before the next try. A fault names the field
 * to correct and never quotes the service.
 */
import type { ApiAccess, ApiRequest } from "@/core/imports/apis/api";
import { isNestedTooDeeply, LEVELS_MAX, parseBrokenJson } from "@/core/imports/apis/broken-json";
import type { Clock } from "@/platform/clock";
import { type Outbound, type OutboundAnswer, OutboundError } from "@/platform/outbound/outbound";
import { FileFault } from "../file-fault";
import { unpacked } from "./unpacked";

export type AskOutcome = { body: unknown } | AskFault;

/**
 * `isGone`: the service knows no such address. Or a proxy before it does not, which `isSaid` rules out. `isLimited`: it
 * responds again once its limit of requests is renewed. `isRefused`: as a wrong key is, of a request about one link.
 */
export interface AskFault {
  /** Null if the service does not specify it. */
  waitMs: number | null;
  fault: string;
  isGone?: true;
  isSaid?: boolean;
  isLimited?: true;
  isRefused?: boolean;
}

export interface AskParts {
  outbound: Pick<Outbound, "request">;
  clock: Clock;
  title: string;
  access: ApiAccess;
  /** True if the address is the service's public one, which the customer did not have to enter. */
  isUsualAddress: boolean;
  /** True for a request about one link: if it alone is refused, as by a firewall, the fault is not the key's. */
  isOfOne?: true;
  signal: AbortSignal;
}

const BYTES_MAX = 8 * 2 ** 20;
const TOTAL_MS = 20_000;
const WAIT_MAX_MS = 3_600_000;

/** Throws `FileFault` if another try would not help. */
export async function ask(parts: AskParts, request: ApiRequest): Promise<AskOutcome> {
  const { outbound, access, signal } = parts;
  const { path, headers, form } = request;
  try {
    const answer = await outbound.request(`${access.baseUrl}${path}`, {
      method: form ? "POST" : "GET",
      headers: {
        ...{ accept: "application/json", ...headers },
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form && { body: String(new URLSearchParams(form)) }),
      ...{ bytesMax: BYTES_MAX, totalMs: TOTAL_MS, isKept: true, signal },
    });
    return judged(parts, answer);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return unanswered(parts, error);
  }
}

function judged(parts: AskParts, { status, headers, body }: OutboundAnswer): AskOutcome {
  const { title, clock } = parts;
  if (status === 429 || (status === 403 && isBeyondLimit(body)))
    return { waitMs: waitOf(headers, clock()), fault: `${title} allows no more requests for now`, isLimited: true };
  if (status >= 500) return { waitMs: waitOf(headers, clock()), fault: `${title} responded with status ${status}` };
  if (status >= 200 && status < 300) {
    const plain = unpacked(body, headers, BYTES_MAX);
    if (!plain) return { waitMs: null, fault: `${title} returned a compressed response that cannot be unpacked` };
    const text = new TextDecoder().decode(plain);
    const parsed = parseBrokenJson(text);
    if (parsed) return { body: parsed.value };
    if (isNestedTooDeeply(text)) return unfit(parts, `${title} returned JSON of more than ${LEVELS_MAX} levels`);
    return { waitMs: null, fault: `${title} returned a response that is not JSON` };
  }
  if (status === 404) return goneOf(parts, body);
  if (parts.isOfOne) return { waitMs: null, fault: refusalOf(parts, status), isRefused: isOfKey(status) };
  throw new FileFault(refusalOf(parts, status));
}

/** Bitly responds with 403 beyond its limits, as it does to a wrong key, and says which it is in the body. */
const isBeyondLimit = (body: Uint8Array): boolean => new TextDecoder().decode(body).includes("RATE_LIMIT_EXCEEDED");

/** A proxy whose service is being restarted answers 404, too, but not in JSON. */
function goneOf({ title }: AskParts, body: Uint8Array): AskOutcome {
  const isSaid = parseBrokenJson(new TextDecoder().decode(body)) !== undefined;
  return { waitMs: null, fault: `${title} responded with status 404`, isGone: true, isSaid };
}

const isOfKey = (status: number): boolean => status === 401 || status === 403;

function refusalOf({ title, access, isUsualAddress }: AskParts, status: number): string {
  const orWorkspace = access.workspace === undefined ? "" : ", or credentials.workspace is wrong";
  if (isOfKey(status)) return `credentials.apiKey: ${title} refuses it (${status})${orWorkspace}`;
  if (status >= 300 && status < 400) {
    return isUsualAddress
      ? `${title} redirects the request (${status}), and the key is for its own address alone`
      : `credentials.baseUrl: it redirects (${status}); use the address that it leads to`;
  }
  return `${title} refuses the request (${status})`;
}

/** Returns null if the service does not specify a wait. */
function waitOf(headers: Headers, now: number): number | null {
  const ms = millisecondsIn(headers.get("retry-after")?.trim() ?? "", now);
  return Number.isFinite(ms) ? Math.min(WAIT_MAX_MS, Math.max(1_000, ms)) : null;
}

/** Seconds and dates are the standard. Some write Unix time, Dub in milliseconds. */
function millisecondsIn(text: string, now: number): number {
  if (/^\d{13}$/.test(text)) return Number(text) - now;
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000 - now;
  return /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
}

/** Returns the fault for a service that has no such list. */
export const noList = ({ title, isUsualAddress }: AskParts): FileFault =>
  new FileFault(
    isUsualAddress
      ? `${title} answers that there is no such list (404)`
      : `credentials.baseUrl: there is no API of ${title} at it (404)`,
  );

/** For a response that would be the same after another try, unless it is about one link, which may change. */
function unfit({ isOfOne }: AskParts, fault: string): AskFault {
  if (isOfOne) return { waitMs: null, fault };
  throw new FileFault(fault);
}

function unanswered(parts: AskParts, { reason }: OutboundError): AskOutcome {
  const { title, isUsualAddress } = parts;
  if (reason === "not_public" && isUsualAddress)
    throw new FileFault(`${title} cannot be reached: its host has a private network address here`);
  if (reason === "not_public") throw new FileFault("credentials.baseUrl: must not be a private network address");
  if (reason === "bad_url") throw new FileFault("credentials.baseUrl: expected an http or https URL");
  if (reason === "too_large") return unfit(parts, `${title} returned a response larger than ${BYTES_MAX} bytes`);
  const why = {
    ...{ unresolved: "its host has no address", refused: "the connection failed", redirects: "it redirects" },
    ...{ tls: "its certificate is not valid", timeout: "it takes too long to answer", aborted: "it was abandoned" },
  }[reason];
  return { waitMs: null, fault: `${title} cannot be reached: ${why}` };
}
