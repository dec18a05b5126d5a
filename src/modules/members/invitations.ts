/**
 * Invitations. An invitation is a membership that nobody has accepted yet, with a token that is shown once. It can be
 * accepted once, before it expires, by an account with exactly the email it was made for; accepting it deletes the
 * token's hash.
 */
import type { Invitation, InviteMemberInput } from "@/contract/accounts/members";
import type { Actor, OrgId, Tenant } from "@/core/ids";
import { HOUR_MS } from "@/core/time/time-range";
import { conflict, invalid, tooMany } from "@/http/errors";
import { type KeyedRequest, keyedBy } from "@/http/headers/idempotency-key";
import type { AddressRules } from "@/modules/auth/email-proof/address-rules";
import { replayAnswer, transactOnce } from "@/modules/idempotency/service";
import type { Plans } from "@/modules/plans/service";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import { storedEmail } from "@/platform/hosts/email-address";
import type { Keys } from "@/platform/keys";
import { limitedNetwork } from "@/platform/limits/address";
import type { Limiter, Limits } from "@/platform/limits/limits";
import type { Mailer } from "@/platform/mail";
import { auditMember, checkMayManage, lockMembersAndReadRole } from "./changes";
import {
  createMailedTokens,
  hashInviteToken,
  type InvitationMail,
  invitationEnd,
  inviteUrlOf,
  mailOf,
  makeInviteToken,
} from "./invitation";
import { presentMember } from "./present";
import * as store from "./store";

export interface InvitationOptions {
  db: Db;
  clock: Clock;
  /** The origin that serves the service's own pages, where invitations lead. */
  serviceUrl: string;
  plans: Pick<Plans, "requireRoom">;
  keys: Keys;
  rules: Pick<AddressRules, "requireProven" | "markProven">;
  limits: Limits;
  /** Null if the service sends no mail. */
  mailer: Pick<Mailer, "send"> | null;
}

export interface OpenInvitation {
  email: string;
  /** The organization's name. */
  organization: string;
}

/** An invitation whose organization is locked until the transaction ends; `orgId` is undefined if there is none. */
export interface HeldInvitation {
  orgId: OrgId | undefined;
  inviteToken: string;
}

interface Invitee {
  id: string;
  email: string;
}

/** Invitations an hour: without these limits, anyone who may invite could make the service mail the whole world. */
const PER_USER_AN_HOUR = 20;
const PER_NETWORK_AN_HOUR = 20;
const PER_ORGANIZATION_AN_HOUR = 100;
/**
 * Mails an hour to one address, from all organizations together: without this limit, someone with many organizations
 * could fill any mailbox.
 */
const MAILS_AN_HOUR = 10;

export function createInvitations(options: InvitationOptions) {
  const { db, clock, serviceUrl, keys, rules, limits, mailer } = options;
  const mailedTokens = createMailedTokens(keys);
  const invitations = limits.limiter({ name: "invitations", windowMs: HOUR_MS });
  const mails = limits.limiter({ name: "invitation-mails", windowMs: HOUR_MS });
  const find = (tx: Db, email: string, inviteToken: string) =>
    store.findInvitation(tx, hashInviteToken(inviteToken), email, new Date(clock()));

  return {
    /** Invites someone; inviting the same address again replaces the token and role. Throws 403, 409 and 429. */
    async invite(tenant: Tenant, input: InviteMemberInput, once?: KeyedRequest): Promise<Invitation> {
      // Another member may not be allowed to give that role.
      const own = keyedBy(tenant.actor, once);
      const replayed = await replayAnswer<Invitation>(db, tenant.orgId, own);
      if (replayed) return replayed;
      await requireMayInvite(options, invitations, tenant);
      const invited = { email: storedEmail(input.email), role: input.role };
      const inviteToken = makeInviteToken();
      let mail: InvitationMail | undefined;
      const invitation = await transactOnce(db, tenant.orgId, own, async (tx) => {
        const { row, ...named } = await write(options, tx, tenant, invited, hashInviteToken(inviteToken));
        mail = { ...invited, ...named, inviteUrl: inviteUrlOf(serviceUrl, mailedTokens.of(inviteToken)) };
        return { ...presentMember(row), inviteToken, inviteUrl: inviteUrlOf(serviceUrl, inviteToken) };
      });
      if (mail && (await mails.take(mailboxOf(invited.email), MAILS_AN_HOUR)).ok) void mailer?.send(mailOf(mail));
      return invitation;
    },

    /** Reports whether this is the token as it was mailed, which only a reader of the address has. */
    isMailed: mailedTokens.isMailed,

    /** Returns what anyone with the token may see of the invitation; undefined if the token is unknown or expired. */
    findOpenInvitation: (inviteToken: string): Promise<OpenInvitation | undefined> =>
      store.findOpenInvitation(db, hashInviteToken(inviteToken), new Date(clock())),

    /** Throws 400 if `accept` would refuse the invitation. To be called before anything costly is done. */
    async checkInvitation(email: string, inviteToken: string): Promise<void> {
      if (!(await find(db, email, inviteToken))) throw unusable();
    },

    /**
     * Begins to accept an invitation, in the caller's transaction: call it before the user's row is locked, because it
     * locks the invitation's organization. Returns undefined without a token; refuses nothing, as `accept` does.
     */
    async hold(tx: Db, email: string, inviteToken: string | undefined): Promise<HeldInvitation | undefined> {
      if (inviteToken === undefined) return undefined;
      const orgId = (await find(tx, email, inviteToken))?.orgId;
      if (orgId) await store.lockMemberships(tx, orgId);
      return { orgId, inviteToken };
    },

    /**
     * Makes the user a member, in the transaction that holds the invitation and the user's row. Of several concurrent
     * calls, one succeeds. Someone who already is a member keeps their role, and the invitation is used up. A token as
     * it was mailed proves the user's address. Throws 400.
     */
    async accept(tx: Db, user: Invitee, { orgId, inviteToken }: HeldInvitation, actor: Actor): Promise<void> {
      // Another request may have accepted it while this one waited.
      const invitation = await find(tx, user.email, inviteToken);
      if (!orgId || !invitation) throw unusable();
      if (mailedTokens.isMailed(inviteToken)) await rules.markProven(tx, user.id);
      if (await store.findMemberOfUser(tx, orgId, user.id)) {
        await store.deleteMember(tx, orgId, invitation.id);
        return auditMember(tx, { orgId, actor }, "remove", invitation, undefined);
      }
      const member = await store.takeInvitation(tx, orgId, invitation.id, user.id, new Date(clock()));
      await auditMember(tx, { orgId, actor }, "join", invitation, member);
    },
  };
}

/** Throws 403 and 429. */
async function requireMayInvite({ db, rules }: InvitationOptions, invitations: Limiter, tenant: Tenant): Promise<void> {
  await rules.requireProven(db, tenant.actor.id);
  await countInvitation(invitations, tenant);
}

async function write(
  { clock, plans }: InvitationOptions,
  tx: Db,
  tenant: Tenant,
  invited: InviteMemberInput,
  inviteHash: Uint8Array,
) {
  const { orgId, actor } = tenant;
  const { role, organization, provenEmail: invitedBy } = await lockMembersAndReadRole(tx, tenant, "admin");
  const before = await store.findInvited(tx, orgId, invited.email);
  checkMayManage(tenant, role, invited.role, before?.role);
  if (await store.findActive(tx, orgId, invited.email)) throw isMember();
  const now = new Date(clock());
  const countsAlready = before?.inviteExpiresAt && before.inviteExpiresAt > now;
  if (!countsAlready) await plans.requireRoom(tx, orgId, "members");
  const inviteExpiresAt = invitationEnd(now.getTime());
  const values = { role: invited.role, inviteHash, inviteExpiresAt, invitedBy: actor.id };
  const row = before
    ? await store.updateMember(tx, orgId, before.id, values, now)
    : await store.insertInvitation(tx, orgId, invited.email, values);
  await auditMember(tx, tenant, "invite", before, row);
  return { row, organization, invitedBy };
}

/** Counts the invitation against each limit. One that a limit refuses stays counted by those before it. Throws 429. */
async function countInvitation(invitations: Limiter, { orgId, actor }: Tenant): Promise<void> {
  const counts: [key: string, most: number][] = [
    [`user:${actor.id}`, PER_USER_AN_HOUR],
    [`network:${limitedNetwork(actor.ip ?? "")}`, PER_NETWORK_AN_HOUR],
    [`organization:${orgId}`, PER_ORGANIZATION_AN_HOUR],
  ];
  for (const [key, most] of counts) {
    const { ok, retryAfterSeconds } = await invitations.take(key, most);
    if (!ok) throw tooMany("Too many invitations; try again later", retryAfterSeconds);
  }
}

/** What counters store instead of an address: it has a fixed length and does not reveal the address. */
const mailboxOf = (email: string) => new Bun.CryptoHasher("sha256").update(email).digest("base64url");

const isMember = () => conflict("This user is already a member", ["email: already a member"]);

const unusable = () =>
  invalid(["inviteToken: not for this email address, expired, or already used"], "This invitation cannot be accepted");
