/**
 * Finds or creates the account of the user an identity provider vouches for. A known identity belongs to its user,
 * whatever the email is by now. At the first sign-in, and for a user who is no longer a member, the provider must
 * vouch for an email of an allowed domain; the account with that email becomes the identity's, or a new one is
 * created without a password. An account with an unproven address does not count as the same person's unless it is
 * already a member of the organization.
 */
import type { Role } from "@/contract/accounts/access";
import { changesOf } from "@/core/changes";
import type { Actor, OrgId } from "@/core/ids";
import type { Caller } from "@/http/caller";
import { HttpError } from "@/http/errors";
import { recordAudit } from "@/modules/audit-logs/service";
import type { AddressRules } from "@/modules/auth/email-proof/address-rules";
import type { RegistrationRules } from "@/modules/auth/registration";
import type { Clock } from "@/platform/clock";
import { findUserByEmail, type UserRow } from "@/platform/db/accounts/users";
import { violatedConstraint } from "@/platform/db/faults";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import { allowedEmail, claimedName } from "./claims";
import { SsoFailure } from "./failure";
import * as store from "./identity-store";
import type { ProviderClaims } from "./provider";

export interface AccountRules {
  orgId: OrgId;
  allowedDomains: string[];
  defaultRole: Role;
}

export interface AccountOptions {
  db: Db;
  clock: Clock;
  rules: Pick<AddressRules, "isUnproven" | "deleteUnprovenAccount">;
  registration: Pick<RegistrationRules, "confirm">;
  /** Throws 429 when the plan has no room for another member. */
  requireRoom(tx: Db, orgId: OrgId): Promise<void>;
}

/** Two concurrent first sign-ins may violate a constraint; the second then finds what the first created. */
const TRIES_MAX = 3;

export type IdentityAccounts = ReturnType<typeof createIdentityAccounts>;

export function createIdentityAccounts(options: AccountOptions) {
  const { db, clock, rules, registration } = options;
  /**
   * Runs in its own transaction. Throws `email_missing`, `email_unverified`, `domain_not_allowed`, `email_unproven`,
   * `registration_closed` and `plan_limit`.
   */
  async function userOf(claims: ProviderClaims, rules: AccountRules, caller: Caller): Promise<UserRow> {
    const known = await store.findIdentified(db, rules.orgId, claims);
    if (known?.isMember) return renamed(db, rules.orgId, claims, known.user);
    const email = allowedEmail(claims, rules.allowedDomains);
    for (let tries = 1; ; tries++) {
      try {
        return await db.transaction((tx) => linkIdentity(tx, { ...claims, email }, rules, caller));
      } catch (error) {
        if (tries >= TRIES_MAX || violatedConstraint(error) === undefined) throw asFailure(error);
      }
    }
  }

  async function linkIdentity(tx: Db, claims: ProviderClaims & { email: string }, rules: AccountRules, caller: Caller) {
    const { orgId } = rules;
    const { issuer, subject, email } = claims;
    await takeLock(tx, orgId, "organization");
    const known = await store.findIdentified(tx, orgId, claims);
    // Another sign-in of this identity came first. Its identity stays as it is: the id shows who made the membership.
    if (known?.isMember) return renamed(tx, orgId, claims, known.user);
    const user = known?.user ?? (await findAccountByEmail(tx, orgId, email)) ?? (await made(tx, claims));
    const actor: Actor = { type: "user", id: user.id, email: user.email, ip: caller.ip, userAgent: caller.userAgent };
    const membership = await joinOrganization(options, tx, { user, email }, rules, actor);
    const id = membership?.id ?? Bun.randomUUIDv7();
    const stated = { email, name: claimedName(claims.name, email) };
    await store.putIdentity(tx, orgId, { id, issuer, subject, ...stated, userId: user.id });
    const changes = { issuer: { from: null, to: issuer }, subject: { from: null, to: subject } };
    await recordAudit(
      tx,
      { orgId, actor },
      { action: "user.link", resourceType: "user", resourceId: user.id, changes },
    );
    return user;
  }

  /**
   * Returns the account with this email; undefined if there is none or its address was free to take. Throws
   * `email_unproven`.
   */
  async function findAccountByEmail(tx: Db, orgId: OrgId, email: string): Promise<UserRow | undefined> {
    const user = await findUserByEmail(tx, email);
    if (!user || !rules.isUnproven(user) || (await store.isMember(tx, orgId, user.id))) return user;
    // Any organization may configure a provider that vouches for anybody: it must not get the address before others
    // could.
    if (!(await rules.deleteUnprovenAccount(tx, user.id, false))) throw new SsoFailure("email_unproven");
    return undefined;
  }

  /** Creates an account. A user for whom an organization's own provider vouches counts as invited. */
  async function made(tx: Db, claims: ProviderClaims & { email: string }): Promise<UserRow> {
    await registration.confirm(tx, true);
    return store.insertIdentityUser(tx, claims.email, claimedName(claims.name, claims.email), new Date(clock()));
  }

  return { userOf };
}

/** Stores the name that the provider now states, and returns the user. */
async function renamed(db: Db, orgId: OrgId, claims: ProviderClaims, user: UserRow) {
  await store.renameIdentity(db, orgId, claims, claimedName(claims.name, user.email));
  return user;
}

/** `email`: the one the provider vouches for, which may have changed since the account was linked. */
interface VouchedUser {
  user: UserRow;
  email: string;
}

/**
 * Makes the user a member, through their open invitation or else in the default role; returns undefined if they
 * already are one.
 */
async function joinOrganization(
  options: AccountOptions,
  tx: Db,
  { user, email }: VouchedUser,
  rules: AccountRules,
  actor: Actor,
) {
  const { orgId } = rules;
  if (await store.isMember(tx, orgId, user.id)) return undefined;
  const now = new Date(options.clock());
  const emails = [user.email, email];
  const invited = await store.takeIdentityInvitation(tx, orgId, user, emails, now);
  if (!invited) await dropInvitations(tx, orgId, emails, actor);
  const membership = invited ?? (await added(options, tx, user, rules, now));
  const { id: resourceId, role } = membership;
  const status = { from: invited ? "invited" : null, to: "active" };
  const changes = { email: { from: null, to: user.email }, role: { from: null, to: role }, status };
  await recordAudit(tx, { orgId, actor }, { action: "member.join", resourceType: "member", resourceId, changes });
  return membership;
}

async function dropInvitations(tx: Db, orgId: OrgId, emails: readonly string[], actor: Actor): Promise<void> {
  for (const row of await store.dropInvitations(tx, orgId, emails)) {
    const { id: resourceId, invitedEmail: email, role, inviteExpiresAt } = row;
    const changes = changesOf({ email, role, status: "invited", inviteExpiresAt }, {});
    await recordAudit(tx, { orgId, actor }, { action: "member.remove", resourceType: "member", resourceId, changes });
  }
}

async function added(
  { requireRoom }: AccountOptions,
  tx: Db,
  { id }: UserRow,
  { orgId, defaultRole }: AccountRules,
  now: Date,
) {
  await requireRoom(tx, orgId);
  return store.insertMembership(tx, orgId, id, defaultRole, now);
}

/** Turns a refusal that other routes return as an HTTP status into one that the dashboard shows. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof HttpError)) return error;
  if (error.status === 429) return new SsoFailure("plan_limit", error);
  return error.status === 403 ? new SsoFailure("registration_closed", error) : error;
}
