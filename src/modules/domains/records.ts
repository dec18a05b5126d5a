/**
 * Compares the records that a domain needs with those in DNS: the TXT record that proves ownership, and where the host
 * points.
 */
import { isIP } from "node:net";
import { getDomain } from "tldts";
import type { DnsRecord, RecordType } from "@/contract/domains";
import type { Dns, DnsAnswer } from "@/platform/hosts/dns";

const SERVICE_ADDRESSES_MAX = 4;
const ADDRESS_TYPES = ["A", "AAAA"] as const;

const ownershipName = (hostname: string): string => `_waymark.${hostname}`;

/** True for a registrable domain, also under a private suffix: it cannot have a CNAME. */
const isApex = (hostname: string): boolean => getDomain(hostname, { allowPrivateDomains: true }) === hostname;

export interface RecordsOptions {
  dns: Dns;
  /** The host name or address of the service itself. */
  serviceHost: string;
}

/** Looks up all records in parallel; the ownership record comes first. Never rejects. */
export async function lookUpRecords(
  { dns, serviceHost }: RecordsOptions,
  { hostname, verificationToken }: { hostname: string; verificationToken: string | null },
): Promise<DnsRecord[]> {
  const byAddress = isApex(hostname) || isIP(serviceHost) !== 0;
  const [ownership, where] = await Promise.all([
    lookUpOwnership(dns, hostname, verificationToken),
    byAddress ? lookUpAddresses(dns, hostname, serviceHost) : lookUpAlias(dns, hostname, serviceHost),
  ]);
  return [ownership, ...where];
}

/** Lists the type and name of each record that is missing or wrong. */
export const missingAmong = (records: readonly DnsRecord[]): string[] => [
  ...new Set(
    records
      .filter(({ status }) => status === "missing" || status === "wrong")
      .map(({ type, name }) => `${type} ${name}`),
  ),
];

async function lookUpOwnership(dns: Dns, hostname: string, token: string | null): Promise<DnsRecord> {
  const name = ownershipName(hostname);
  const answer = await dns.lookUp("TXT", name);
  const isProof = (value: string) => unquoted(value) === token;
  return { ...record("TXT", name, token ?? undefined, answer, isProof), isRequired: true };
}

/** Some DNS providers' forms keep quotes that were copied with the value. */
const unquoted = (value: string): string =>
  value
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim()
    .toLowerCase();

/**
 * Expects a CNAME to the service. If the name is flattened or proxied, the service's addresses are accepted instead.
 */
async function lookUpAlias(dns: Dns, hostname: string, serviceHost: string): Promise<DnsRecord[]> {
  const [answer, own, service] = await Promise.all([
    dns.lookUp("CNAME", hostname),
    addressesOf(dns, hostname),
    addressesOf(dns, serviceHost),
  ]);
  const alias = record("CNAME", hostname, serviceHost, answer);
  if (alias.status === "ok" || alias.status === "unknown") return [alias];
  const found = [...alias.found, ...own.values];
  if (own.values.some((address) => service.values.includes(address))) return [{ ...alias, found, status: "ok" }];
  if (found.length > 0) return [{ ...alias, found, status: "wrong" }];
  return [own.isKnown ? alias : { ...alias, status: "unknown" }];
}

async function lookUpAddresses(dns: Dns, hostname: string, serviceHost: string): Promise<DnsRecord[]> {
  const found = await Promise.all(
    ADDRESS_TYPES.map(async (type) => {
      const [expected, answer] = await Promise.all([ofService(dns, type, serviceHost), dns.lookUp(type, hostname)]);
      return expected.slice(0, SERVICE_ADDRESSES_MAX).map((value) => record(type, hostname, value, answer));
    }),
  );
  const records = found.flat();
  if (records.length > 0) return records;
  return [{ type: "A", name: hostname, isRequired: false, found: [], status: "unknown" }];
}

async function ofService(dns: Dns, type: "A" | "AAAA", serviceHost: string): Promise<string[]> {
  const family = isIP(serviceHost);
  if (family !== 0) return family === (type === "A" ? 4 : 6) ? [serviceHost] : [];
  const answer = await dns.lookUp(type, serviceHost);
  return answer.ok ? answer.values.toSorted() : [];
}

async function addressesOf(dns: Dns, hostname: string): Promise<{ values: string[]; isKnown: boolean }> {
  const answers = await Promise.all(ADDRESS_TYPES.map((type) => dns.lookUp(type, hostname)));
  return {
    values: answers.flatMap((answer) => (answer.ok ? answer.values : [])),
    isKnown: answers.every(({ ok }) => ok),
  };
}

function record(
  type: RecordType,
  name: string,
  value: string | undefined,
  answer: DnsAnswer,
  isRight = (found: string) => found === value,
): DnsRecord {
  const found = answer.ok ? answer.values : [];
  const status = !answer.ok ? "unknown" : found.some(isRight) ? "ok" : found.length > 0 ? "wrong" : "missing";
  return { type, name, value, isRequired: false, found, status };
}
