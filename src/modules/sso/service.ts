/** Reads and changes an organization's single sign-on, as its owners set it up. */
import type { SsoConfiguration, SsoUpdate } from "@/contract/accounts/sso";
import { changesOf } from "@/core/changes";
import type { OrgId, Tenant } from "@/core/ids";
import { conflict, invalid } from "@/http/errors";
import { type IfMatch, requireMatch, withTag } from "@/http/headers/entity-tag";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import { endOwnAccessTokens, endProviderAccessTokens } from "@/platform/db/accounts/access-tokens";
import type { Db } from "@/platform/db/tx";
import type { Seal } from "@/platform/seal";
import { SsoFailure } from "./failure";
import { auditedSso, presentConfiguration, ssoTag, UNSET } from "./present";
import type { Providers } from "./provider";
import { closeSecret } from "./secret";
import * as store from "./store";
import { checkedUpdate, checkWhole } from "./validate";

export interface SsoOptions {
  db: Db;
  clock: Clock;
  seal: Seal;
  providers: Pick<Providers, "discover">;
  isAllowedPlain(url: URL): boolean;
  baseUrl: string;
}

export type SsoService = ReturnType<typeof createSsoService>;

export function createSsoService({ db, clock, seal, providers, isAllowedPlain, baseUrl }: SsoOptions) {
  return {
    async get({ orgId }: Tenant): Promise<SsoConfiguration> {
      return presented(db, orgId, (await store.findConfiguration(db, orgId)) ?? UNSET);
    },

    /** Throws 400 with every fault in the fields that are present. */
    check: (input: SsoUpdate) => checkedUpdate(input, isAllowedPlain),

    /**
     * Absent fields keep their value, null clears. `sessionId` is the caller's own session, which continues where
     * others end. Throws 400 with every fault, also for a provider that does not respond; 409 if somebody else
     * changed the configuration meanwhile or no owner could sign in any more; 412 if the configuration is no longer
     * the one the change was based on.
     */
    async update(tenant: Tenant, sessionId: string, input: SsoUpdate, ifMatch?: IfMatch): Promise<SsoConfiguration> {
      const { orgId } = tenant;
      const values = valuesOf(orgId, input);
      const known = (await store.findConfiguration(db, orgId)) ?? UNSET;
      const checked = await discovered(providers, known, changed(known, values));
      return db.transaction(async (tx) => {
        const before = await store.lockConfiguration(tx, orgId, new Date(clock()));
        requireMatch(ifMatch, ssoTag(before), "configuration");
        const after = changed(before, values);
        checkWhole(after);
        if (needsDiscovery(before, after) && after.issuer !== checked) throw changedMeanwhile();
        if (locksOutProviderUsers(before, after) && !(await store.hasIndependentOwner(tx, orgId))) throw nobodyGetsIn();
        const row = await store.updateConfiguration(tx, orgId, after, new Date(clock()));
        await endSessions(tx, orgId, sessionId, before, after);
        const changes = { ...changesOf(auditedSso(before), auditedSso(row)), ...secretChange(input, before) };
        const entry = { action: "sso.update", resourceType: "sso", resourceId: orgId, changes };
        if (Object.keys(changes).length > 0) await recordAudit(tx, tenant, entry);
        return presented(tx, orgId, row);
      });
    },
  };

  async function presented(db: Db, orgId: OrgId, values: Parameters<typeof presentConfiguration>[0]) {
    const start = `${baseUrl}/api/v1/auth/sso/start?orgSlug=${encodeURIComponent(await store.findSlug(db, orgId))}`;
    const urls = { callbackUrl: callbackUrlOf(baseUrl), startUrl: start };
    return withTag(presentConfiguration(values, urls), () => ssoTag(values));
  }

  function valuesOf(orgId: OrgId, input: SsoUpdate): Partial<store.ConfigurationValues> {
    const { fields, clientSecret } = checkedUpdate(input, isAllowedPlain);
    if (clientSecret === undefined) return fields;
    return { ...fields, clientSecret: clientSecret === null ? null : closeSecret(seal, orgId, clientSecret) };
  }

  /**
   * Ends the sessions and access tokens that the change shuts out: those of members who must now use single sign-on,
   * and those that the previous provider vouched for.
   */
  async function endSessions(
    tx: Db,
    orgId: OrgId,
    keptId: string,
    before: store.ConfigurationValues,
    after: store.ConfigurationValues,
  ): Promise<void> {
    const now = new Date(clock());
    if (after.enforce && !before.enforce) {
      await store.endOwnSessions(tx, orgId, now);
      await endOwnAccessTokens(tx, orgId, now);
    }
    if (locksOutProviderUsers(before, after)) {
      await store.endProviderSessions(tx, orgId, keptId, now);
      await endProviderAccessTokens(tx, orgId, now);
    }
  }
}

/**
 * Fetches the provider's discovery document if the change requires it, and returns the issuer it was fetched from.
 * Throws 400.
 */
async function discovered(
  providers: SsoOptions["providers"],
  before: store.ConfigurationValues,
  after: store.ConfigurationValues,
) {
  checkWhole(after);
  const { issuer, clientId } = after;
  if (!needsDiscovery(before, after) || issuer === null || clientId === null) return undefined;
  try {
    await providers.discover({ issuer, clientId, clientSecret: undefined });
  } catch (error) {
    if (!(error instanceof SsoFailure)) throw error;
    throw invalid([`issuer: ${NO_PROVIDER}`], "Could not reach the identity provider");
  }
  return issuer;
}

export const callbackUrlOf = (baseUrl: string): string => `${baseUrl}/api/v1/auth/sso/callback`;

/**
 * Applies the change. A secret belongs to the provider it was given for: without a new one, a change of issuer clears
 * it, so that it is not sent to a stranger.
 */
function changed(before: store.ConfigurationValues, values: Partial<store.ConfigurationValues>) {
  const after: store.ConfigurationValues = { ...before, ...values };
  const isAnother = after.issuer !== before.issuer && values.clientSecret === undefined;
  return isAnother ? { ...after, clientSecret: null } : after;
}

const NO_PROVIDER =
  "expected an OpenID provider that serves /.well-known/openid-configuration and reports exactly this issuer";

const needsDiscovery = (before: store.ConfigurationValues, after: store.ConfigurationValues): boolean =>
  after.enabled && (!before.enabled || after.issuer !== before.issuer);

/** True if the users that the provider vouched for so far can no longer sign in through it. */
const locksOutProviderUsers = (before: store.ConfigurationValues, after: store.ConfigurationValues): boolean =>
  before.enabled && (!after.enabled || after.issuer !== before.issuer);

/** Records that a secret was replaced, which no other field shows. */
const secretChange = ({ clientSecret }: SsoUpdate, before: store.ConfigurationValues) =>
  clientSecret && before.clientSecret !== null ? { clientSecret: { from: "kept", to: "replaced" } } : {};

const changedMeanwhile = () => conflict("Someone else changed single sign-on at the same time; try again");

const nobodyGetsIn = () =>
  conflict("No owner could sign in any more; first make someone who signs in with a password an owner");
