/** The records a domain needs, each held against what DNS has: the TXT that proves whose it is, and where the host leads. */
import { isIP } from "node:net";
import { getDomain } from "tldts";
import type { DnsRecord, RecordType } from "@/contract/domains";
import type { Dns, DnsAnswer } from "@/platform/hosts/dns";

const SERVICE_ADDRESSES_MAX = 4;
const ADDRESS_TYPES = ["A", "AAAA"] as const;

const ownershipName = (hostname: string): string => `_waymark.${hostname}`;

/** Whether no CNAME may stand there: a registrable domain, under a private suffix too. */
const isApex = (hostname: string): boolean => getDomain(hostname, { allowPrivateDomains: true }) === hostname;

export interface RecordsOptions {
  dns: Dns;
  /** Where the service itself is reached: a name, or an address. */
  serviceHost: string;
}

/** Looks everything up at once; the record of ownership comes first. Never rejects. */
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

/** Type and name of each that is missing or wrong. */
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

/** Some name servers' forms keep the quotes that people copy. */
const unquoted = (value: string): string =>
  value
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim()
    .toLowerCase();

/** A CNAME to the service; where it is flattened, as proxies do, the same addresses will do. */
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
