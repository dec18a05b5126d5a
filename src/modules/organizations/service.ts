/** Organizations: created with the account that owns them or later, read by their members, changed by their admins. */
import {
  ORGANIZATIONS_OWNED_MAX,
  type Organization,
  type OrganizationInput,
  type OrganizationUpdate,
} from "@/contract/accounts/organizations";
import type { Plan } from "@/contract/accounts/plans";
import { changesOf } from "@/core/changes";
import type { Actor, OrgId, Tenant } from "@/core/ids";
import { organizationSlug } from "@/core/names/organization-slug";
import type { SignedIn } from "@/http/access";
import { conflict, forbidden, notFound } from "@/http/errors";
import { type IfMatch, requireMatch } from "@/http/headers/entity-tag";
import { type KeyedRequest, keyedBy } from "@/http/headers/idempotency-key";
import { recordAudit } from "@/modules/audit-logs/service";
import { answerOnce, replayAnswer } from "@/modules/idempotency/service";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { ChangeRouting, RoutingChanges } from "@/platform/routing-changes";
import { editableFields, organizationTag, presentOrganization, presentWithSettings } from "./present";
import * as store from "./store";
import { checkedName, checkedOrganizationFields } from "./validate";

export interface OrganizationOptions {
  db: Db;
  clock: Clock;
  defaultPlan: Plan;
  changeRouting: ChangeRouting;
}

interface Change {
  values: Partial<store.OrganizationValues>;
  ifMatch: IfMatch | undefined;
  now: Date;
}

export type OrganizationService = ReturnType<typeof createOrganizationService>;

export function createOrganizationService({ db, clock, defaultPlan, changeRouting }: OrganizationOptions) {
  return {
    create,

    /**
     * Creates another organization for a user with a session of their own. The response to a request with a key is
     * kept with the organization that it created. Throws 400 for a blank name, 403 for a single sign-on session, 409
     * if the user already owns as many as allowed.
     */
    async createAnother(
      { userId, ssoOrgId, actor }: SignedIn,
      input: OrganizationInput,
      once?: KeyedRequest,
    ): Promise<Organization> {
      if (ssoOrgId !== null) throw ofAnother();
      const name = checkedName(input.name);
      const own = keyedBy(actor, once);
      return db.transaction(async (tx) => {
        await store.lockUserRow(tx, userId);
        const owned = await store.listOwned(tx, userId);
        const replayed = own && (await replayedAmong(tx, owned, own));
        if (replayed) return replayed;
        if (owned.length >= ORGANIZATIONS_OWNED_MAX) throw ownsTooMany();
        const row = await create(tx, name, userId, actor);
        return answerOnce(tx, row.id, own, async () => presentWithSettings(row));
      });
    },

    async get({ orgId }: Tenant): Promise<Organization> {
      const row = await store.findOrganization(db, orgId);
      if (!row) throw notFound("organization");
      return presentWithSettings(row);
    },

    /** Absent fields keep their value, null clears. Throws 400 with every fault, 412 if `ifMatch` no longer matches. */
    async update(tenant: Tenant, input: OrganizationUpdate, ifMatch?: IfMatch): Promise<Organization> {
      const values = checkedOrganizationFields(input);
      const now = new Date(clock());
      const row = await changeRouting((tx, changed) => change(tx, changed, tenant, { values, ifMatch, now }));
      return presentWithSettings(row);
    },

    /**
     * Returns the user's organizations that a session sees, oldest first. `ssoOrgId`: whose identity provider opened
     * the session; null for a session of the user's own, which sees the organizations the user joined.
     */
    async ofUser(db: Db, userId: string, ssoOrgId: string | null): Promise<Organization[]> {
      return (await store.listOrganizationsOf(db, userId, ssoOrgId)).map(presentOrganization);
    },
  };

  /** Creates an organization with its owner, in the caller's transaction. */
  async function create(tx: Db, name: string, ownerId: string, actor: Actor) {
    const id = Bun.randomUUIDv7();
    const row = await store.insertOrganization(tx, { id, name, slug: organizationSlug(name, id), plan: defaultPlan });
    await store.insertOwner(tx, row.id, ownerId);
    await recordAudit(tx, { orgId: row.id, actor }, audited("create", row.id));
    return row;
  }
}

async function replayedAmong(tx: Db, orgIds: readonly OrgId[], once: KeyedRequest): Promise<Organization | undefined> {
  for (const orgId of orgIds) {
    const replayed = await replayAnswer<Organization>(tx, orgId, once);
    if (replayed) return replayed;
  }
  return undefined;
}

/** Every change also invalidates the links: name and branding are on their pages, settings in their destinations. */
async function change(
  tx: Db,
  changed: RoutingChanges,
  tenant: Tenant,
  { values, ifMatch, now }: Change,
): Promise<store.OrganizationRow> {
  const before = await store.lockOrganization(tx, tenant.orgId);
  if (!before) throw notFound("organization");
  requireMatch(ifMatch, organizationTag(before), "organization");
  const changes = changesOf(editableFields(before), editableFields({ ...before, ...values }));
  if (Object.keys(changes).length === 0) return before;
  const row = await store.updateOrganization(tx, tenant.orgId, values, now);
  await recordAudit(tx, tenant, { ...audited("update", tenant.orgId), changes });
  await changed.organization(tenant.orgId);
  return row;
}

const audited = (verb: string, orgId: OrgId) => ({
  action: `organization.${verb}`,
  resourceType: "organization",
  resourceId: orgId,
});

const ofAnother = () =>
  forbidden(
    "A single sign-on session is limited to its own organization; sign in with your password to create another",
  );

const ownsTooMany = () =>
  conflict(`You have reached the limit of ${ORGANIZATIONS_OWNED_MAX} organizations you can own`);
