/** Checks a link before anything is written: its fields, its address, its domain and its app. */
import type { LinkInput, LinkUpdate } from "@/contract/links/links";
import { isUuid, type Tenant } from "@/core/ids";
import { isOwnShortUrl } from "@/core/routing/destination";
import { withoutNumbers } from "@/core/rules/rule-numbers";
import { destinationsOf, type LeadingLink } from "@/core/safety/destinations";
import { parseInstant } from "@/core/time/instant";
import { awaitAllFaults } from "@/http/body/combined-faults";
import { invalid } from "@/http/errors";
import { checkedSlug, noSuchApp, refuseOwnPath, usableDomain } from "@/modules/addresses/service";
import type { AddressDomain } from "@/modules/addresses/store";
import type { SafetyChecker } from "@/modules/safety/service";
import type { Drizzle } from "@/platform/db/client";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import { type HashPlace, hashPassword, verifyPassword } from "@/platform/passwords/passwords";
import type { LinkDraft } from "./make";
import * as store from "./store";
import { checkedFields, checkedPrefix, checkSchedule } from "./validate";

export interface LinkJudgeOptions {
  db: Drizzle;
  shortUrlOf: ShortUrlOf;
  safety: Pick<SafetyChecker, "judgeLocally">;
}

/** A link with what changes of its schedule are checked against. */
interface Scheduled {
  link: Pick<store.LinkRow, "startsAt" | "expiresAt">;
}

/** Caches the lookups of one request. */
interface LookUp {
  domain(id: string | null | undefined): Promise<AddressDomain>;
  app(id: string | null | undefined): Promise<store.LinkAppRow | undefined>;
}

export type LinkValidator = ReturnType<typeof createLinkJudge>;

export function createLinkJudge({ db, shortUrlOf, safety }: LinkJudgeOptions) {
  return {
    drafted,
    checkedUpdate: (tenant: Tenant, link: Scheduled, input: LinkUpdate) => checkedUpdate(db, tenant, link, input),
    passwordHashOf,

    /** Returns a function that checks links for `createMany` and caches shared lookups. Rejects as `create` does. */
    drafting(tenant: Tenant): (input: LinkInput) => Promise<LinkDraft> {
      const lookUp = lookUpOnce(db, tenant);
      return (input) => drafted(tenant, input, lookUp);
    },

    /** Throws the 400 or 404 of `create`, except for faults that only an actual creation reveals. */
    async check(tenant: Tenant, input: LinkUpdate): Promise<void> {
      await checked(tenant, input);
    },

    /** Returns the fields in stored form. Throws the 400 or 404 that updating any link with them would throw. */
    checkedChanges: (tenant: Tenant, input: LinkUpdate): Promise<LinkUpdate> =>
      checkedUpdate(db, tenant, { link: { startsAt: null, expiresAt: null } }, input),
  };

  async function drafted(tenant: Tenant, input: LinkInput, lookUp = lookUpOnce(db, tenant)): Promise<LinkDraft> {
    const [fields, slug, domain, prefix] = await checked(tenant, input, lookUp);
    const rules = withoutNumbers(fields.rules ?? []);
    const values = {
      ...draftValuesOf(fields),
      ...{ rules, nextRuleNumber: rules.length },
      id: Bun.randomUUIDv7(),
      defaultUrl: fields.defaultUrl,
      pathPrefix: prefix.prefix,
      passwordHash: fields.password ? await hashPassword(fields.password, hashPlaceOf(tenant)) : null,
    };
    const rowAt = (made: string) => {
      refuseLoop(values, shortUrlOf(domain, { pathPrefix: values.pathPrefix, slug: made }), domain);
      return { ...values, ...safety.judgeLocally(values, null) };
    };
    return { slug, domain, rowAt };
  }

  /** Checks the fields, slug, domain and prefix of a new link. Throws all of their faults together. */
  async function checked<Fields extends LinkInput | LinkUpdate>(
    tenant: Tenant,
    input: Fields,
    lookUp = lookUpOnce(db, tenant),
  ) {
    const { pathPrefix, startsAt, expiresAt } = input;
    const slug = Promise.try(() => (input.slug ? checkedSlug(input.slug) : null));
    const domain = lookUp.domain(input.domainId);
    const app = lookUp.app(input.appProfileId);
    const ownPrefix = app.then((found) => found?.pathPrefix).catch(() => undefined);
    const prefix = ownPrefix.then((own) => checkedPrefix(pathPrefix ?? own ?? ""));
    const path = Promise.all([slug, domain, prefix]);
    return awaitAllFaults([
      Promise.try(() => checkedFields(input)),
      slug,
      domain,
      prefix,
      app,
      path.then(([own, host, before]) => refuseOwnPath(host, { prefix: before.key, slug: own?.key ?? "" })),
      Promise.try(() => checkSchedule(instantOf(startsAt) ?? null, instantOf(expiresAt) ?? null)),
    ]);
  }
}

async function checkedUpdate(db: Drizzle, tenant: Tenant, { link }: Scheduled, input: LinkUpdate): Promise<LinkUpdate> {
  const values = { startsAt: link.startsAt, expiresAt: link.expiresAt, ...draftValuesOf(input) };
  const [fields] = await awaitAllFaults([
    Promise.try(() => checkedFields(input)),
    ownApp(db, tenant, input.appProfileId),
    Promise.try(() => checkSchedule(values.startsAt, values.expiresAt)),
  ]);
  return fields;
}

function lookUpOnce(db: Drizzle, tenant: Tenant): LookUp {
  return {
    domain: once((id) => usableDomain(db, tenant, id)),
    app: once((id) => ownApp(db, tenant, id)),
  };
}

async function ownApp(
  db: Drizzle,
  tenant: Tenant,
  id: string | null | undefined,
): Promise<store.LinkAppRow | undefined> {
  if (!id) return undefined;
  const app = isUuid(id) ? await store.findApp(db, tenant.orgId, id) : undefined;
  if (!app) throw noSuchApp();
  return app;
}

/** Calls `ask` once per key and returns the same promise for later calls. */
function once<Key, Answer>(ask: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const answers = new Map<Key, Promise<Answer>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}

/**
 * Returns the column values of the fields that are given. Null becomes an empty list in columns that must not be
 * null.
 */
export function draftValuesOf(fields: LinkInput | LinkUpdate): Partial<store.LinkValues> {
  const values = {
    defaultUrl: fields.defaultUrl,
    appProfileId: storedId(fields.appProfileId),
    title: fields.title,
    externalId: fields.externalId,
    notes: fields.notes,
    isArchived: fields.isArchived,
    rules: emptied(fields.rules),
    splitTargets: emptied(fields.splitTargets),
    deepLinkPayload: fields.deepLinkPayload,
    utm: fields.utm,
    marketing: fields.marketing,
    leadCapture: fields.leadCapture,
    retargetingPixels: emptied(fields.retargetingPixels),
    ctaOverlay: fields.ctaOverlay,
    social: fields.social,
    startsAt: instantOf(fields.startsAt),
    expiresAt: instantOf(fields.expiresAt),
    expiredUrl: fields.expiredUrl,
    maxClicks: fields.maxClicks,
    tags: emptied(fields.tags),
    isActive: fields.isActive,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Returns an id as Postgres writes it. */
const storedId = (id: string | null | undefined): string | null | undefined => (id === null ? null : id?.toLowerCase());

const emptied = <Item>(list: Item[] | null | undefined): Item[] | undefined => (list === null ? [] : list);

/** Text that is no instant becomes an invalid date; `checkedFields` reports it. */
const instantOf = (text: string | null | undefined): Date | null | undefined =>
  text ? new Date(parseInstant(text) ?? Number.NaN) : (text as null | undefined);

/**
 * Returns the column value that a password sets; `before` is the hash that the link has. The password that a link has
 * already changes nothing, so that whoever sends it again neither fills the history nor ends visits that are under way.
 */
export async function draftPasswordOf(
  { password }: LinkUpdate,
  tenant: Tenant,
  before: string | null = null,
): Promise<Partial<store.LinkValues>> {
  if (password === undefined) return {};
  if (password === null) return { passwordHash: null };
  if (before !== null && (await isLinkPassword(before, password, tenant))) return {};
  return { passwordHash: await hashPassword(password, hashPlaceOf(tenant)) };
}

/** Returns a hash of the password: `before` if that is one. */
async function passwordHashOf(tenant: Tenant, password: string, before: string | null): Promise<string | null> {
  return (await draftPasswordOf({ password }, tenant, before)).passwordHash ?? before;
}

export const isLinkPassword = (hash: string, password: string, tenant: Tenant): Promise<boolean> =>
  verifyPassword(password, hash, hashPlaceOf(tenant));

const hashPlaceOf = ({ orgId, signal }: Tenant): HashPlace => ({ purpose: "links", asker: orgId, signal });

/** Throws 400 if a destination is the link itself, which would send visitors in a circle. */
export function refuseLoop(link: LeadingLink, shortUrl: string, { isCaseSensitive }: AddressDomain): void {
  const faults = destinationsOf(link)
    .filter(({ url }) => isOwnShortUrl(url, shortUrl, isCaseSensitive))
    .map(({ field }) => `${field}: must not be the link's own short URL`);
  if (faults.length > 0) throw invalid(faults);
}
