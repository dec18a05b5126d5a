/**
 * What an invitation consists of: its token, of which only the hash is stored, the URL it leads to, and the mail that
 * delivers it.
 *
 * The inviter sees the token, so having it does not show that someone reads the invited address's mail. The mail
 * therefore contains the token with a signature that is shown nowhere else: whoever presents both reads that mail.
 */
import { timingSafeEqual } from "node:crypto";
import type { Role } from "@/contract/accounts/access";
import { INVITATION_DAYS } from "@/contract/accounts/members";
import { mailName } from "@/core/names/mail-name";
import { DAY_MS } from "@/core/time/time-range";
import type { Keys } from "@/platform/keys";

const TOKEN_BYTES = 32;

export const makeInviteToken = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString("base64url");

/** Hashes a token, given as it is shown or as it is mailed. */
export const hashInviteToken = (given: string): Uint8Array =>
  new Bun.CryptoHasher("sha256").update(given.split(SEPARATOR, 1).join()).digest();

const SEPARATOR = ".";

export interface MailedTokens {
  of(token: string): string;
  isMailed(given: string): boolean;
}

/** A signature by a key that is no longer accepted is ignored: the token then counts as one without a signature. */
export function createMailedTokens(keys: Keys): MailedTokens {
  const current = keys.current("mailed-invitation");
  const accepted = [current, keys.previous("mailed-invitation")].filter((key) => key !== undefined);
  return {
    of: (token) => `${token}${SEPARATOR}${signature(current, token).toString("base64url")}`,
    isMailed(given) {
      const [token = "", tail = ""] = given.split(SEPARATOR);
      const signed = Buffer.from(tail, "base64url");
      return accepted.some((key) => {
        const expected = signature(key, token);
        return signed.length === expected.length && timingSafeEqual(signed, expected);
      });
    },
  };
}

const signature = (key: Uint8Array, token: string): Buffer =>
  new Bun.CryptoHasher("sha256", key).update(token).digest();

/** `now` is a Unix time in milliseconds. */
export const invitationEnd = (now: number): Date => new Date(now + INVITATION_DAYS * DAY_MS);

/** Returns the URL of a page on the service's own host, where no slug can take its path. */
export const inviteUrlOf = (serviceUrl: string, token: string): string => `${serviceUrl}/app/invite?token=${token}`;

export interface InvitationMail {
  email: string;
  organization: string;
  /** Null unless the address is known to be the inviter's: anyone can run a provider that states someone else's. */
  invitedBy: string | null;
  role: Role;
  inviteUrl: string;
}

/**
 * Composes the mail. Its recipient may know neither the inviter nor the organization: of what the inviter chose it
 * contains only names.
 */
export function mailOf({ email, organization, invitedBy, role, inviteUrl }: InvitationMail) {
  const name = mailName(organization);
  const whereto = name === "" ? "an organization" : `"${name}"`;
  return {
    to: email,
    subject: `You are invited to ${name || "an organization"} on Waymark`,
    text: [
      `${whoInvites(invitedBy)} invites you to join ${whereto} on Waymark with the role ${role}.`,
      `Open this link within ${INVITATION_DAYS} days to accept:`,
      inviteUrl,
      "If you did not expect this, ignore this mail.",
    ].join("\n\n"),
  };
}

/** An address without the parts that mail programs may take for more than an address. */
const PLAIN_ADDRESS = /^[\w+-]+(?:\.[\w+-]+)*@[a-z\d-]+(?:\.[a-z\d-]+)+$/i;

const whoInvites = (email: string | null): string =>
  email !== null && PLAIN_ADDRESS.test(email) ? email : "An administrator";
