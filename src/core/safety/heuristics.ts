/**
 * Signs of deception in a destination's URL, found without asking any service. Each has a stable id, which becomes
 * that of the reason, and matches only what honest sites hardly ever do. Deliberately not signs, because ordinary
 * campaigns have them: top-level domains, plain http, long URLs and URLs within URLs. User names in URLs have been
 * refused before.
 */
import type { Finding } from "./judge";
import type { Subject } from "./subject";

/** The most labels in front of the registered domain. */
const SUBDOMAINS_MAX = 4;
const USUAL_PORTS = new Set(["", "80", "443", "8080", "8443"]);
const ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|[\da-f:.]*:[\da-f:.]*)$/;
/** Names that never belong to a host on the internet. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa)$/;
const PROGRAM = /\.(?:apk|bat|cmd|dmg|exe|hta|jar|lnk|msi|msix|pif|pkg|ps1|scr|vbs|wsf)$/i;

/** Hosts of URL shorteners: the owner of such a short URL can redirect visitors elsewhere later. */
const SHORTENERS = new Set(
  [
    "adf.ly b.link bit.do bit.ly bitly.com bl.ink buff.ly cutt.ly dub.sh is.gd lnkd.in lnk.to ow.ly qr.ae rb.gy rebrand.ly",
    "s.id shorte.st shorturl.at soo.gd t.co t.ly t2m.io tiny.cc tiny.one tinyurl.com tr.im urlz.fr v.gd x.gd",
  ].flatMap((names) => names.split(" ")),
);

interface Sign {
  id: string;
  isIn(subject: Subject): boolean;
  sentence(host: string): string;
}

const SIGNS: readonly Sign[] = [
  {
    id: "ip_address",
    isIn: ({ host }) => ADDRESS.test(host),
    sentence: (host) => `${host} is an IP address instead of a host name`,
  },
  {
    id: "local_host",
    isIn: ({ host }) => LOCAL_NAME.test(host) || (!host.includes(".") && !ADDRESS.test(host)),
    sentence: (host) => `${host} is not an internet host`,
  },
  {
    id: "many_subdomains",
    isIn: ({ host, domain }) => domain !== null && labels(host) - labels(domain) > SUBDOMAINS_MAX,
    sentence: (host) => `${host} has more than ${SUBDOMAINS_MAX} names in front of its domain`,
  },
  {
    id: "unusual_port",
    isIn: ({ url }) => !USUAL_PORTS.has(url.port),
    sentence: (host) => `${host} uses a port that is unusual for web sites`,
  },
  {
    id: "url_shortener",
    isIn: ({ host }) => SHORTENERS.has(host.replace(/^www\./, "")),
    sentence: (host) => `${host} is a URL shortener, which hides where it leads`,
  },
  {
    id: "program_download",
    isIn: ({ url }) => PROGRAM.test(url.pathname),
    sentence: (host) => `the destination on ${host} is a program download`,
  },
];

export interface KnownHosts {
  /** True if this service serves short URLs on the host. */
  isServed(host: string): boolean;
}

export function signsOf(subject: Subject, { isServed }: KnownHosts): Finding[] {
  const { host, url } = subject;
  const signs = SIGNS.filter(({ isIn }) => isIn(subject)).map(({ id, sentence }) => ({ id, sentence: sentence(host) }));
  const own = isServed(url.host)
    ? [{ id: "own_short_link", sentence: `${host} is a short domain of this service` }]
    : [];
  return [...own, ...signs, ...subject.brands];
}

const labels = (host: string): number => host.split(".").length;
