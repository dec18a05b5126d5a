import { domainToUnicode } from "node:url";
import { getDomain } from "tldts";
import { type Subject, subjectHostOf } from "@/core/safety/subject";

/**
 * With public suffixes under which anyone gets a name (`github.io`) counted as such, so that a name there is its owner's.
 * Undefined for what is no URL, which no destination is that was checked.
 */
export function subjectOf(text: string): Subject | undefined {
  const url = URL.parse(text);
  if (!url) return undefined;
  const host = subjectHostOf(url);
  const domain = getDomain(host, { allowPrivateDomains: true });
  return { url, host, unicodeHost: inUnicode(host), domain, unicodeName: domain && nameOf(inUnicode(domain)) };
}

const inUnicode = (host: string): string => domainToUnicode(host) || host;
const nameOf = (domain: string): string => domain.split(".")[0] ?? domain;
