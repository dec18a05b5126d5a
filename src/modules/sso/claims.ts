/** Reads a provider's claims about a user, strictly: they are untrusted text. */
import { EMAIL_LENGTH_MAX } from "@/contract/accounts/auth";
import { storedEmail } from "@/platform/hosts/email-address";
import { SsoFailure } from "./failure";
import type { ProviderClaims } from "./provider";

const NAME_LENGTH_MAX = 120;
/** From OpenID Connect Core, section 2. */
const SUBJECT_LENGTH_MAX = 255;
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Throws `token_invalid` for an invalid subject. */
export function checkSubject({ subject }: ProviderClaims): void {
  if (subject === "" || subject.length > SUBJECT_LENGTH_MAX || !/^[\x20-\x7e]+$/.test(subject)) {
    throw new SsoFailure("token_invalid");
  }
}

/** Microsoft's clouds (Entra ID), which never send `email_verified`. */
const MICROSOFT = /^https:\/\/login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)\//;
const EDOV = new Set<unknown>([true, 1, "1", "true"]);

/**
 * Reports whether the provider vouches that the address is the user's. For Microsoft that is the optional claim
 * `xms_edov`: the owner of the address's domain is verified
 * (learn.microsoft.com/entra/identity-platform/optional-claims-reference). Without it, an address from Microsoft may
 * be anything that an administrator typed.
 */
export function vouchesForEmail(issuer: string, { email_verified, xms_edov }: Record<string, unknown>): boolean {
  if (email_verified !== undefined) return email_verified === true;
  return MICROSOFT.test(issuer) && EDOV.has(xms_edov);
}

/**
 * Returns the email address that the provider vouches for, in the form in which addresses are stored. Throws
 * `email_missing`, `email_unverified` if the provider does not vouch for it, and `domain_not_allowed` unless the
 * domain is one of `allowedDomains`.
 */
export function allowedEmail({ email, emailVerified }: ProviderClaims, allowedDomains: string[]): string {
  if (typeof email !== "string" || email === "") throw new SsoFailure("email_missing");
  if (!emailVerified) throw new SsoFailure("email_unverified");
  const [, local, domain] = /^([^\s@"\p{C}]+)@([^\s@\p{C}/\\?#:%[\]]+)$/u.exec(email) ?? [];
  const hostname = domain && URL.parse(`http://${domain}`)?.hostname;
  if (!local || !hostname || !allowedDomains.includes(hostname)) throw new SsoFailure("domain_not_allowed");
  const stored = storedEmail(`${local}@${hostname}`);
  if (stored.length > EMAIL_LENGTH_MAX) throw new SsoFailure("domain_not_allowed");
  return stored;
}

/** Returns the user's name: the provider's, or one made from the email. */
export function claimedName(name: unknown, email: string): string {
  const told = typeof name === "string" ? name.toWellFormed().replace(UNSEEN, " ").trim() : "";
  return [...(told || email.split("@", 1).join())].slice(0, NAME_LENGTH_MAX).join("");
}
