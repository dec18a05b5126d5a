/**
 * Email addresses in the one form in which they are stored and shown: lower case, NFC, the domain in Unicode. The same
 * address arrives in several spellings: Chromium converts the domain that people type into email fields to punycode,
 * other browsers do not.
 */
import { domainToUnicode } from "node:url";
import { isAscii } from "@/core/names/fold";
import { punycodeOf } from "@/core/names/hostname";

/** Expects an address that satisfies the contract. */
export function storedEmail(text: string): string {
  const lowered = text.normalize("NFC").toLowerCase();
  const { local, domain } = partsOf(lowered);
  return isPlain(domain) ? lowered : `${local}@${domainToUnicode(punycodeOf(domain)) || domain}`;
}

/**
 * Returns every spelling under which the address may be stored, beginning with the given one: earlier versions stored
 * addresses as they arrived, except for their case.
 */
export function emailSpellings(text: string): string[] {
  const stored = storedEmail(text);
  const { local, domain } = partsOf(stored);
  const converted = isPlain(domain) ? stored : `${local}@${punycodeOf(domain)}`;
  return [...new Set([text.toLowerCase(), stored, converted])];
}

function partsOf(email: string): { local: string; domain: string } {
  const at = email.lastIndexOf("@");
  return { local: email.slice(0, at), domain: email.slice(at + 1) };
}

/** True for a domain that has one spelling only, and for a text that a URL parser would not take for a host alone. */
const isPlain = (domain: string): boolean => /[/?#%]/.test(domain) || (isAscii(domain) && !domain.includes("xn--"));
