import { domainToUnicode } from "node:url";
import { getDomain } from "tldts";
import { brandFindings } from "@/core/safety/brands";
import { type Subject, subjectHostOf } from "@/core/safety/subject";
import { createBoundedMap } from "@/platform/bounded-map";

/** Links created together mostly lead to a few hosts. */
const HOSTS_MAX = 1_000;

type HostFacts = Omit<Subject, "url">;

const known = createBoundedMap<string, HostFacts>(HOSTS_MAX);

/** Returns undefined for an invalid URL, which no checked destination is. */
export function subjectOf(text: string): Subject | undefined {
  const url = URL.parse(text);
  if (!url) return undefined;
  const host = subjectHostOf(url);
  const facts = known.get(host) ?? factsOf(host);
  known.set(host, facts);
  return { url, ...facts };
}

/**
 * Counts domains under which anyone can get a name (`github.io`) as public suffixes, so that a name there belongs to
 * its owner.
 */
function factsOf(host: string): HostFacts {
  const domain = getDomain(host, { allowPrivateDomains: true });
  const subject = { host, unicodeHost: inUnicode(host), domain, unicodeName: domain && nameOf(inUnicode(domain)) };
  return { ...subject, brands: brandFindings(subject) };
}

const inUnicode = (host: string): string => domainToUnicode(host) || host;
const nameOf = (domain: string): string => domain.split(".")[0] ?? domain;
