/**
 * A destination in the form that the heuristics examine. Callers supply what needs a public suffix list or punycode.
 */
import type { Finding } from "./judge";

export interface SubjectHost {
  /** Lower case, in punycode, without the root's dot and without the brackets of an IPv6 address. */
  host: string;
  unicodeHost: string;
  /** The registered part, as in `shop.co.uk`; null for an address or a host without a public suffix. */
  domain: string | null;
  /** The first label of `domain`, in Unicode. */
  unicodeName: string | null;
}

export interface Subject extends SubjectHost {
  url: URL;
  /** Findings of `brandFindings`. */
  brands: readonly Finding[];
}

/**
 * Returns the host in the form that is compared: `evil.example.` equals `evil.example`, however resolvers treat the
 * dot.
 */
export const subjectHostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");
