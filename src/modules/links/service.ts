/** Links: create, read, list, change, delete. Each change is one transaction with its revision, audit entry and notification. */
import type { Link, LinkInput, LinkUpdate } from "@/contract/links/links";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { isOwnShortUrl } from "@/core/routing/destination";
import { destinationsOf, type LeadingLink } from "@/core/safety/destinations";
import { HttpError, invalid, notFound, notFoundBy } from "@/http/errors";
import { pageOf } from "@/http/page";
import { together } from "@/http/together";
import { checkedSlug, refuseOwnPath, usableDomain } from "@/modules/addresses/service";
import type { DomainRow } from "@/modules/addresses/store";
import { answerOnce, type KeyedRequest, replayAnswer } from "@/modules/idempotency/service";
import type { Plans } from "@/modules/plans/service";
import type { SafetyChecker } from "@/modules/safety/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Tx } from "@/platform/db/tx";
import type { ShortUrlOf } from "@/platform/link-cache/source";
import { type HashPlace, hashPassword } from "@/platform/passwords/passwords";
import type { ChangeRouting } from "@/platform/routing-changes";
import type { Announce } from "@/platform/webhooks/webhook-outbox";
import { type LinkFilter, listLinks } from "./list";
import { type Changed, type LinkDraft, linkMaker } from "./make";
import { presentLink } from "./present";
import { recordChanges, recordDeletion } from "./revisions";
import * as store from "./store";
import { checkedFields, checkedPrefix, checkSchedule } from "./validate";

const KEYED_OPERATION = "POST /api/v1/links";

export interface LinkServiceOptions {
  db: Drizzle;
  clock: Clock;
  shortUrlOf: ShortUrlOf;
  announce: Announce;
  changeRouting: ChangeRouting;
  plans: Pick<Plans, "room">;
  safety: Pick<SafetyChecker, "atOnce" | "noteChange" | "behind">;
}

/** Within one request. */
interface LookUp {
  domain(id: string | null | undefined): Promise<DomainRow>;
  app(id: string | null | undefined): Promise<store.AppRow | undefined>;
}

export type LinkService = ReturnType<typeof createLinkService>;

export function createLinkService(options: LinkServiceOptions) {
  const { db, clock, shortUrlOf, announce, changeRouting, plans, safety } = options;
  const present = (record: store.LinkRecord) => presentLink(record, shortUrlOf);
  const make = linkMaker({ plans, announce, present });

  return {
    /**
     * Throws 400 for invalid fields and for a key that was used with another body, 404 for a foreign domain or app, 409 for
     * a taken slug, 429 when the plan has no room for it.
     */
    async create(tenant: Tenant, input: LinkInput, key?: string): Promise<Link> {
      const request: KeyedRequest | undefined = key
        ? { operation: KEYED_OPERATION, key, body: input, now: clock() }
        : undefined;
      const replayed = await replayAnswer<Link>(db, tenant.orgId, request);
      if (replayed) return replayed;
      const draft = await drafted(tenant, input);
      return inTransaction(tenant, (tx, changed) =>
        answerOnce(tx, tenant.orgId, request, async () => {
          const [outcome] = await make(tx, tenant, [draft], changed);
          if (outcome instanceof HttpError || !outcome) throw outcome;
          return outcome;
        }),
      );
    },

    /** Judges links for `createMany`, each by itself; what they have in common is looked up once. Rejects as `create` does. */
    drafting(tenant: Tenant): (input: LinkInput) => Promise<LinkDraft> {
      const lookUp = lookUpOnce(tenant);
      return (input) => drafted(tenant, input, lookUp);
    },

    /** All in one transaction: for each in its order the link, or as what `create` would have thrown. */
    createMany: (tenant: Tenant, drafts: LinkDraft[]): Promise<(Link | HttpError)[]> =>
      inTransaction(tenant, (tx, changed) => make(tx, tenant, drafts, changed)),

    /** Throws what `create` would of these fields, but for what is only seen by creating: 400 and 404. */
    async check(tenant: Tenant, input: LinkUpdate): Promise<void> {
      await checked(tenant, input);
    },

    /** As `check`, of a change. */
    async checkUpdate(tenant: Tenant, id: string, input: LinkUpdate): Promise<void> {
      await checkedUpdate(tenant, await existing(tenant, id), input);
    },

    /** Throws 404. */
    async get(tenant: Tenant, id: string): Promise<Link> {
      return present(await existing(tenant, id));
    },

    async list(tenant: Tenant, filter: LinkFilter, page: number, limit: number) {
      const { rows, total, isEstimate } = await listLinks(db, tenant.orgId, filter, { page, limit });
      return { links: rows.map(present), ...pageOf(page, limit, total, isEstimate) };
    },

    /** The links with these ids, deleted ones included; those that are not the organization's are absent. */
    async ofAnyState(orgId: OrgId, ids: string[]): Promise<Map<string, Link & { isDeleted: boolean }>> {
      const records = ids.length > 0 ? await store.findLinksOfAnyState(db, orgId, ids) : [];
      const links = records.map((record) => ({ ...present(record), isDeleted: record.link.deletedAt !== null }));
      return new Map(links.map((link) => [link._id, link]));
    },

    /** Absent fields stay, null clears; the short URL never changes. Throws 400, 404. */
    async update(tenant: Tenant, id: string, input: LinkUpdate): Promise<Link> {
      const found = await existing(tenant, id);
      const { domain, clickCount } = found;
      const fields = await checkedUpdate(tenant, found, input);
      const values = { ...valuesOf(fields), ...(await passwordOf(fields, tenant)) };
      const link = await inTransaction(tenant, async (tx, changed) => {
        const before = await store.lockLink(tx, tenant.orgId, id);
        if (!before) throw notFound("link");
        const planned = { ...before, ...values };
        checkSchedule(planned.startsAt, planned.expiresAt);
        refuseLoop(planned, shortUrlOf(domain, before));
        if (isUnchanged(before, planned)) return before;
        const after = await store.updateLink(tx, tenant.orgId, id, { ...values, ...safety.atOnce(planned, before) });
        await recordChanges(tx, tenant, [{ before, after }]);
        await safety.noteChange(tx, tenant.orgId, after, before.safety, after.safety);
        changed(after, domain);
        return after;
      });
      return present({ link, domain, clickCount });
    },

    /** Ends serving at once, keeps the figures, frees the slug. Throws 404. */
    async remove(tenant: Tenant, id: string) {
      const { domain } = await existing(tenant, id);
      await inTransaction(tenant, async (tx, changed) => {
        const before = await store.lockLink(tx, tenant.orgId, id);
        if (!before) throw notFound("link");
        const deleted = await store.updateLink(tx, tenant.orgId, id, {
          deletedAt: new Date(clock()),
        });
        await recordDeletion(tx, tenant, before);
        changed(deleted, domain);
      });
      return { _id: id, deleted: true as const };
    },
  };

  async function drafted(tenant: Tenant, input: LinkInput, lookUp = lookUpOnce(tenant)): Promise<LinkDraft> {
    const [fields, slug, domain, prefix] = await checked(tenant, input, lookUp);
    const values = {
      ...valuesOf(fields),
      id: Bun.randomUUIDv7(),
      defaultUrl: fields.defaultUrl,
      pathPrefix: prefix.prefix,
      prefixKey: prefix.key,
      passwordHash: fields.password ? await hashPassword(fields.password, hashPlaceOf(tenant)) : null,
    };
    const rowAt = (made: string) => {
      refuseLoop(values, shortUrlOf(domain, { pathPrefix: values.pathPrefix, slug: made }));
      return { ...values, ...safety.atOnce(values, null) };
    };
    return { slug, domain, rowAt };
  }

  function lookUpOnce(tenant: Tenant): LookUp {
    return {
      domain: once((id) => usableDomain(db, tenant, id)),
      app: once((id) => ownApp(tenant, id)),
    };
  }

  async function existing(tenant: Tenant, id: string): Promise<store.LinkRecord> {
    const record = isUuid(id) ? await store.findLink(db, tenant.orgId, id) : undefined;
    if (!record) throw notFound("link");
    return record;
  }

  async function ownApp(tenant: Tenant, id: string | null | undefined): Promise<store.AppRow | undefined> {
    if (!id) return undefined;
    const app = isUuid(id) ? await store.findApp(db, tenant.orgId, id) : undefined;
    if (!app) throw notFoundBy("appProfileId", "app profile");
    return app;
  }

  /** The fields, the slug, the domain and the prefix of a new link. Throws everything that is wrong with them. */
  async function checked<Fields extends LinkInput | LinkUpdate>(
    tenant: Tenant,
    input: Fields,
    lookUp = lookUpOnce(tenant),
  ) {
    const { pathPrefix, startsAt, expiresAt } = input;
    const slug = Promise.try(() => (input.slug ? checkedSlug(input.slug) : null));
    const domain = lookUp.domain(input.domainId);
    const app = lookUp.app(input.appProfileId);
    const ownPrefix = app.then((found) => found?.pathPrefix).catch(() => undefined);
    const prefix = ownPrefix.then((own) => checkedPrefix(pathPrefix ?? own ?? ""));
    const path = Promise.all([slug, domain, prefix]);
    return together([
      Promise.try(() => checkedFields(input)),
      slug,
      domain,
      prefix,
      app,
      path.then(([own, host, before]) => refuseOwnPath(host, { prefix: before.key, slug: own?.key ?? "" })),
      Promise.try(() => checkSchedule(instantOf(startsAt) ?? null, instantOf(expiresAt) ?? null)),
    ]);
  }

  async function checkedUpdate(tenant: Tenant, { link }: store.LinkRecord, input: LinkUpdate): Promise<LinkUpdate> {
    const values = { startsAt: link.startsAt, expiresAt: link.expiresAt, ...valuesOf(input) };
    const [fields] = await together([
      Promise.try(() => checkedFields(input)),
      ownApp(tenant, input.appProfileId),
      Promise.try(() => checkSchedule(values.startsAt, values.expiresAt)),
    ]);
    return fields;
  }

  /** Links that changed are judged once the work is committed. */
  async function inTransaction<Result>(
    { orgId }: Tenant,
    work: (tx: Tx, changed: Changed) => Promise<Result>,
  ): Promise<Result> {
    const links: store.LinkRow[] = [];
    const result = await changeRouting((tx, changed) =>
      work(tx, (link, domain) => {
        changed.link(link, domain);
        links.push(link);
      }),
    );
    for (const link of links) safety.behind(orgId, link);
    return result;
  }
}

/** The same answer to the same question. */
function once<Key, Answer>(ask: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const answers = new Map<Key, Promise<Answer>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}

/** Column values of the fields that are given; what must not be null stays with its empty value. */
function valuesOf(fields: LinkInput | LinkUpdate): Partial<store.LinkValues> {
  const values = {
    defaultUrl: fields.defaultUrl,
    appProfileId: fields.appProfileId,
    title: fields.title,
    rules: emptied(fields.rules),
    splitTargets: emptied(fields.splitTargets),
    deepLinkPayload: fields.deepLinkPayload,
    utm: fields.utm,
    marketing: fields.marketing,
    leadCapture: fields.leadCapture,
    retargetingPixels: emptied(fields.retargetingPixels),
    ctaOverlay: fields.ctaOverlay,
    startsAt: instantOf(fields.startsAt),
    expiresAt: instantOf(fields.expiresAt),
    maxClicks: fields.maxClicks,
    tags: emptied(fields.tags),
    isActive: fields.isActive,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

const emptied = <Item>(list: Item[] | null | undefined): Item[] | undefined => (list === null ? [] : list);

const instantOf = (text: string | null | undefined): Date | null | undefined =>
  text ? new Date(text) : (text as null | undefined);

async function passwordOf({ password }: LinkUpdate, tenant: Tenant): Promise<Partial<store.LinkValues>> {
  if (password === undefined) return {};
  return {
    passwordHash: password === null ? null : await hashPassword(password, hashPlaceOf(tenant)),
  };
}

const hashPlaceOf = ({ orgId, signal }: Tenant): HashPlace => ({ purpose: "links", asker: orgId, signal });

const isUnchanged = (before: store.LinkRow, planned: store.LinkRow): boolean => Bun.deepEquals(before, planned);

/** A destination that is the link itself would send visitors in a circle. Throws 400. */
function refuseLoop(link: LeadingLink, shortUrl: string): void {
  const faults = destinationsOf(link)
    .filter(({ url }) => isOwnShortUrl(url, shortUrl))
    .map(({ field }) => `${field}: must not be the link's own short URL`);
  if (faults.length > 0) throw invalid(faults);
}
