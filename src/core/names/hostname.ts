/**
 * Host names as customers write them, and the one form in which they are stored and compared: lower case, punycode,
 * no trailing dot. Public suffixes are checked elsewhere.
 */

import { isAscii } from "./fold";

/** 253 (RFC 1035) minus `_waymark.`, which precedes the name in the record that proves ownership. */
const HOSTNAME_LENGTH_MAX = 244;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters that the URL parser would drop, or read as something other than part of the host. */
const NO_HOST = /[/\\?#@:[\]%<>^|`{}"'*,;!$&()=+~\s]/;

export type CheckedHostname = { ok: true; hostname: string } | { ok: false; fault: string };

/** Returns the host name in its stored form, or what is wrong, as the text after a field's name. */
export function checkHostname(text: string): CheckedHostname {
  const written = text.trim();
  const fault = writtenFault(written);
  if (fault !== null) return { ok: false, fault };
  const hostname = URL.parse(`http://${written}`)?.hostname.replace(/\.$/, "") ?? "";
  const keptFault = hostnameFault(hostname);
  return keptFault === null ? { ok: true, hostname } : { ok: false, fault: keptFault };
}

/** Returns the host of a valid http(s) URL without port and without the brackets of an IPv6 address. */
export const hostnameOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");

/** Returns an internationalized host name as browsers send it; other text is returned unchanged. */
export const punycodeOf = (name: string): string => URL.parse(`http://${name}`)?.hostname ?? name;

/** Returns a host name as browsers send it, in lower case. */
export function sentHostname(name: string): string {
  const lowered = name.toLowerCase();
  return isAscii(lowered) ? lowered : punycodeOf(lowered);
}

/** Normalizes a host name from a request for comparison with stored ones: lower case, without port and trailing dot. */
export const comparedHostname = (text: string): string => text.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");

/**
 * A single label, or a special-use name (RFC 6761, 6762, 8375, ICANN's `.internal`) for local networks and addresses.
 */
const LOCAL_NAME = /^(?:[a-z0-9-]{1,63}|[a-z0-9.-]+\.(?:localhost|local|localdomain|internal|arpa|onion))$/;

/** True if only a local network could resolve the name, so no customer can own it. Expects lower case. */
export const isLocalName = (hostname: string): boolean => LOCAL_NAME.test(hostname);

function writtenFault(text: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "must not have a scheme: write go.example.com";
  if (text.includes("*")) return "must not be a wildcard";
  if (/:\d*$/.test(text) && !text.includes("[") && text.split(":").length === 2) return "must not have a port";
  if (isAddressLike(text)) return "must not be an IP address";
  if (/[/?#]/.test(text)) return "must not have a path";
  return NO_HOST.test(text) ? "contains characters that are not allowed in host names" : null;
}

const isAddressLike = (text: string): boolean =>
  /^\[.*\]$/.test(text) || (/^[\da-f:.]+$/i.test(text) && text.includes(":"));

function hostnameFault(hostname: string): string | null {
  if (/^\d+(?:\.\d+){3}$/.test(hostname)) return "must not be an IP address";
  if (hostname.length > HOSTNAME_LENGTH_MAX) return `must not be longer than ${HOSTNAME_LENGTH_MAX} characters`;
  const labels = hostname.split(".");
  if (!labels.every((label) => LABEL.test(label)))
    return "is not a host name: labels have letters, digits and hyphens, at most 63";
  return labels.length < 2 ? "must have at least two labels, like go.example.com" : null;
}
