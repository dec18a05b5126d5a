/** What an invitation is made of: its token, of which only the hash is kept, where it leads, and the mail that brings it. */
import type { Role } from "@/contract/access";
import { INVITATION_DAYS } from "@/contract/members";

const TOKEN_BYTES = 32;
const DAY_MS = 86_400_000;

export const makeInviteToken = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString("base64url");

export const hashInviteToken = (token: string): Uint8Array => new Bun.CryptoHasher("sha256").update(token).digest();

/** `now` is a Unix time in milliseconds. */
export const invitationEnd = (now: number): Date => new Date(now + INVITATION_DAYS * DAY_MS);

export const inviteUrlOf = (dashboardUrl: string, token: string): string => `${dashboardUrl}/invite#token=${token}`;

export interface InvitationMail {
  email: string;
  organization: string;
  invitedBy: string | null;
  role: Role;
  inviteUrl: string;
}

export function mailOf({ email, organization, invitedBy, role, inviteUrl }: InvitationMail) {
  // A name may hold line breaks; a subject may not, nor may a name seem to be lines of ours.
  const name = organization.replace(/\s+/g, " ");
  return {
    to: email,
    subject: `You are invited to ${name}`,
    text: [
      `${invitedBy ?? "An administrator"} invites you to join ${name} as ${role}.`,
      `Open this within ${INVITATION_DAYS} days to accept:`,
      inviteUrl,
      "If you did not expect this, you need not do anything.",
    ].join("\n\n"),
  };
}
