/**
 * Tests a host the way a phone would, and reports for each aspect whether it is right and how to fix it.
 *
 * Any host can be named here, whether or not it is verified, so the checks must not be usable to flood somebody's
 * server: all requests for a host share one check, and at most `HOSTS_MAX` hosts are checked at a time. Beyond that,
 * the client is told to try again. Nothing is kept of the results.
 */
import type { DnsRecord, DomainCheck } from "@/contract/domains";
import { DAY_MS } from "@/core/time/time-range";
import type { Clock } from "@/platform/clock";
import { type Outbound, type OutboundAnswer, OutboundError, type TlsFacts } from "@/platform/outbound/outbound";
import { type JudgedFile, judgeAndroidFile, judgeAppleCopy, judgeAppleFile } from "./association-files";

const HOSTS_MAX = 20;
const TOTAL_MS_MAX = 5_000;
/** The most that Apple accepts. */
const FILE_BYTES_MAX = 128 * 1024;
const EXPIRES_SOON_MS = 14 * DAY_MS;
const APPLE_PATH = "/.well-known/apple-app-site-association";
const ANDROID_PATH = "/.well-known/assetlinks.json";

export interface DoctorOptions {
  outbound: Pick<Outbound, "request">;
  clock: Clock;
  /** Defaults to `https://<hostname>`. Tests replace it. */
  originOf?(hostname: string): string;
  /** Returns the URL from which Apple's devices get the file. Tests replace it. */
  appleCopyOf?(hostname: string): string;
}

/** Takes some seconds at most. Never rejects because of the host. */
export type CheckHost = (hostname: string, records: Promise<DnsRecord[]>) => Promise<DomainCheck[]>;

export function createDoctor({
  outbound,
  clock,
  originOf = (hostname) => `https://${hostname}`,
  appleCopyOf = (hostname) => `https://app-site-association.cdn-apple.com/a/v1/${hostname}`,
}: DoctorOptions): CheckHost {
  const underWay = new Map<string, Promise<FetchedFiles>>();

  return async (hostname, lookedUp) => {
    const [records, { apple, appleCopy, android }] = await Promise.all([lookedUp, seenOf(hostname)]);
    return [
      { check: "ownership", ...judgeOwnership(records) },
      { check: "address", ...judgeAddress(records) },
      { check: "tls", ...judgeTls(apple, clock()) },
      { check: "apple-app-site-association", ...judgeFile(apple, judgeAppleFile) },
      { check: "apple-cdn", ...judgeCopy(apple, appleCopy) },
      { check: "assetlinks", ...judgeFile(android, judgeAndroidFile) },
    ];
  };

  async function seenOf(hostname: string): Promise<FetchedFiles> {
    const running = underWay.get(hostname);
    if (running) return running;
    if (underWay.size >= HOSTS_MAX) return { apple: BUSY, appleCopy: undefined, android: BUSY };
    const seen = fetchFiles(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, seen);
    return seen;
  }

  async function fetchFiles(hostname: string): Promise<FetchedFiles> {
    const origin = originOf(hostname);
    const [apple, android] = await Promise.all([
      fetched(`${origin}${APPLE_PATH}`),
      fetched(`${origin}${ANDROID_PATH}`),
    ]);
    const isRight = !(apple instanceof OutboundError) && judgeAppleFile(apple).status === "ok";
    return { apple, appleCopy: isRight ? await fetched(appleCopyOf(hostname)) : undefined, android };
  }

  async function fetched(url: string): Promise<OutboundAnswer | OutboundError> {
    try {
      return await outbound.request(url, { totalMs: TOTAL_MS_MAX, bytesMax: FILE_BYTES_MAX });
    } catch (error) {
      if (error instanceof OutboundError) return error;
      throw error;
    }
  }
}

interface FetchedFiles {
  apple: OutboundAnswer | OutboundError;
  /** Undefined if the host's own file is wrong: the copy is then not fetched. */
  appleCopy: OutboundAnswer | OutboundError | undefined;
  android: OutboundAnswer | OutboundError;
}

const BUSY = new OutboundError("aborted", "Too many hosts are being checked; try again shortly");
const NO_DNS: JudgedFile = {
  status: "unknown",
  found: "The name servers do not respond",
  advice: "Try again shortly.",
};

function judgeOwnership([record]: DnsRecord[]): JudgedFile {
  if (record === undefined || record.status === "unknown") return NO_DNS;
  if (record.status === "ok") return { status: "ok", found: `TXT record found at ${record.name}` };
  const found =
    record.status === "missing" ? `No TXT record at ${record.name}` : `A different TXT record at ${record.name}`;
  return { status: "failed", found, advice: `Create a TXT record ${record.name} with the value ${record.value}.` };
}

function judgeAddress([, ...records]: DnsRecord[]): JudgedFile {
  const known = records.filter(({ status }) => status !== "unknown");
  if (known.length === 0) return NO_DNS;
  const found = [...new Set(known.flatMap((record) => record.found))].join(", ");
  if (known.some(({ status }) => status === "ok")) return { status: "ok", found: `Points here: ${found}` };
  const wanted = records.map(({ type, name, value = "" }) => `${type} ${name} ${value}`.trim()).join(" and ");
  if (found === "") return { status: "failed", found: "No address", advice: `Create ${wanted}.` };
  return {
    status: "warning",
    found: `Points to ${found}`,
    advice: `This is right if your own proxy is in front of this service; otherwise, create ${wanted}.`,
  };
}

function judgeTls(answer: OutboundAnswer | OutboundError, now: number): JudgedFile {
  if (answer instanceof OutboundError) return judgeConnection(answer);
  const { tls } = answer;
  if (!tls) return { status: "unknown", found: "No certificate found" };
  const until = tls.validUntil.toISOString().slice(0, "2026-01-31".length);
  const found = `Certificate for ${namesOf(tls)} from ${tls.issuer || "an unnamed issuer"}, valid until ${until}`;
  if (tls.validUntil.getTime() - now >= EXPIRES_SOON_MS) return { status: "ok", found };
  return { status: "warning", found, advice: "It expires soon: check that automatic renewal works." };
}

const namesOf = ({ altNames }: TlsFacts): string => altNames.map((name) => name.replace(/^DNS:/, "")).join(", ");

function judgeConnection({ reason, message, code }: OutboundError): JudgedFile {
  const found = code ? `${message} (${code})` : message;
  switch (reason) {
    case "tls":
      return {
        status: "failed",
        found,
        advice: "The host needs a certificate that covers its name and that phones trust.",
      };
    case "unresolved":
      return { status: "failed", found, advice: "Create an address record for the host." };
    case "not_public":
      return { status: "failed", found, advice: "The host must have a public address." };
    case "refused":
    case "timeout":
      return {
        status: "failed",
        found,
        advice: "Nothing serves HTTPS there: check where the host points, and port 443.",
      };
    case "bad_url":
    case "too_large":
    case "redirects":
    case "aborted":
      return { status: "unknown", found };
    default:
      return reason satisfies never;
  }
}

function judgeCopy(own: FetchedFiles["apple"], copy: FetchedFiles["appleCopy"]): JudgedFile {
  if (copy === undefined || own instanceof OutboundError) {
    return { status: "unknown", found: "Not checked: fix the host's own file first" };
  }
  if (copy instanceof OutboundError) return { status: "unknown", found: `Apple's CDN: ${copy.message}` };
  return judgeAppleCopy(own, copy);
}

function judgeFile(answer: OutboundAnswer | OutboundError, judge: (file: OutboundAnswer) => JudgedFile): JudgedFile {
  if (!(answer instanceof OutboundError)) return judge(answer);
  if (answer.reason === "too_large") {
    return { status: "failed", found: answer.message, advice: "Phones accept at most 128 KB." };
  }
  return { status: "unknown", found: "Not fetched: could not connect to the host" };
}
