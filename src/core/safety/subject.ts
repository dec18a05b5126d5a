/** A destination as the heuristics look at it. What needs a list of public suffixes or punycode is handed in. */
import type { Finding } from "./judge";

export interface SubjectHost {
  /** Lower-cased, in punycode, without the root's dot and the brackets of an IPv6 address. */
  host: string;
  unicodeHost: string;
  /** The part that somebody registered, as in `shop.co.uk`; null for an address or a host without a public suffix. */
  domain: string | null;
  /** The first label of `registered`, in Unicode. */
  unicodeName: string | null;
}

export interface Subject extends SubjectHost {
  url: URL;
  /** What `brandFindings` says of the host. */
  brands: readonly Finding[];
}

/** A host as it is compared: `evil.example.` is `evil.example`, whatever resolvers make of the dot. */
export const subjectHostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");
