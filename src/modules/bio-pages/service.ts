/**
 * Creates, reads, lists, changes and deletes bio pages. Each change is one transaction with its revision, audit entry
 * and notification; where links are served, it counts as a change of the `links` row that the page belongs to. A page
 * that is created or deleted on the organization's own domain changes what the domain's association files exclude, so
 * it is also published as a change of the organization.
 */
import { BIO_PAGES_MAX, type BioPage, type BioPageInput, type BioPageUpdate } from "@/contract/links/bio-pages";
import { isUuid, type Tenant } from "@/core/ids";
import { makeSlug } from "@/core/names/slug";
import { awaitAllFaults } from "@/http/body/combined-faults";
import { conflict, notFound } from "@/http/errors";
import { type IfMatch, requireMatch } from "@/http/headers/entity-tag";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { pagingOf } from "@/http/page";
import { checkedSlug, insertAtFreeSlug, refuseOwnPath, usableDomain } from "@/modules/addresses/service";
import { answerOnce, replayAnswer } from "@/modules/idempotency/service";
import type { SafetyChecker } from "@/modules/safety/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { ChangeRouting } from "@/platform/routing-changes";
import { keyedItems, targetsOf } from "./items";
import { pageTag, presentPage } from "./present";
import { changesBetween, recordChange, recordPageDeletion } from "./revisions";
import * as store from "./store";
import { type AskedItem, checkedPageFields, refuseOwnUrl } from "./validate";

export interface BioPageServiceOptions {
  db: Drizzle;
  clock: Clock;
  shortUrlOf: ShortUrlOf;
  changeRouting: ChangeRouting;
  safety: Pick<SafetyChecker, "judgeLocally" | "noteChange" | "enqueueCheck">;
}

type Notify = (record: store.PageRecord, comesOrGoes?: boolean) => Promise<void>;

export type BioPageService = ReturnType<typeof createBioPageService>;

export function createBioPageService(options: BioPageServiceOptions) {
  const { db, clock, shortUrlOf } = options;
  const present = (record: store.PageRecord) => presentPage(record, shortUrlOf);

  return {
    async list({ orgId }: Tenant, page: number, limit: number) {
      const { rows, total, isEstimate } = await store.listPages(db, orgId, { page, limit });
      return { bioPages: rows.map(present), ...pagingOf(page, limit, total, isEstimate) };
    },

    /** Throws 404. */
    async get({ orgId }: Tenant, id: string): Promise<BioPage> {
      return present(await existing(db, orgId, id));
    },

    /** Throws 400, 404 for another organization's domain or link, and 409 for a slug in use or one page too many. */
    async create(tenant: Tenant, input: BioPageInput, once?: KeyedRequest): Promise<BioPage> {
      const replayed = await replayAnswer<BioPage>(db, tenant.orgId, once);
      if (replayed) return replayed;
      const sound = await checked(db, tenant, input);
      return inTransaction(options, tenant, (tx, notify) =>
        answerOnce(tx, tenant.orgId, once, async () => present(await inserted(options, tx, tenant, sound, notify))),
      );
    },

    /** Throws the 400 or 404 that `create` would throw for these fields, as far as it can be known beforehand. */
    async check(tenant: Tenant, input: Partial<BioPageInput>): Promise<void> {
      await checked(db, tenant, input);
    },

    /** Checks a change as `check` does. Also throws 404 for an unknown page. */
    async checkUpdate(tenant: Tenant, id: string, input: BioPageUpdate): Promise<void> {
      await checkedUpdate(db, tenant, id, input);
    },

    /**
     * Absent fields stay unchanged, null clears; the address never changes. Throws 400, 404, and 412 if the page was
     * changed since the client read it.
     */
    async update(tenant: Tenant, id: string, input: BioPageUpdate, ifMatch?: IfMatch): Promise<BioPage> {
      const fields = await checkedUpdate(db, tenant, id, input);
      return inTransaction(options, tenant, async (tx, notify) => {
        const before = await locked(tx, tenant, id);
        requireMatch(ifMatch, pageTag(before), "bio page");
        const after = await rewritten(options, tx, tenant, before, fields);
        if (after) await notify(after);
        return present(after ?? before);
      });
    },

    /**
     * Stops serving the page, keeps its figures, and frees its slug. Throws 404, 409 for its domain's home page, and
     * 412 as `update` does.
     */
    async remove(tenant: Tenant, id: string, ifMatch?: IfMatch) {
      await existing(db, tenant.orgId, id);
      await inTransaction(options, tenant, async (tx, notify) => {
        await takeLock(tx, tenant.orgId, "organization");
        const before = await locked(tx, tenant, id);
        requireMatch(ifMatch, pageTag(before), "bio page");
        if (isHomePage(before)) throw homePage(before);
        const deletedAt = new Date(clock());
        const link = await store.updatePage(tx, tenant.orgId, id, { deletedAt }, before.page);
        await recordPageDeletion(tx, tenant, before);
        await notify({ ...before, link }, true);
      });
      return { _id: id, deleted: true as const };
    },
  };
}

/** Throws 400, 404 and 409. */
async function inserted(
  { shortUrlOf, safety }: BioPageServiceOptions,
  tx: Db,
  tenant: Tenant,
  [fields, slug, domain]: Awaited<ReturnType<typeof checked>>,
  notify: Notify,
): Promise<store.PageRecord> {
  const { title = "", bio = null, theme = {}, items: asked = [], isActive = true } = fields;
  // Comes first: it keeps others from adding a page meanwhile, and deletions of domains take it first, too.
  await takeLock(tx, tenant.orgId, "organization");
  if ((await store.countPages(tx, tenant.orgId)) >= BIO_PAGES_MAX) throw tooManyPages();
  const items = await ownItems(tx, tenant, asked, []);
  const [id, splitTargets] = [Bun.randomUUIDv7(), targetsOf(items)];
  const link = await insertAtFreeSlug(tx, tenant.orgId, {
    domain,
    slug,
    rowAt: (made) => {
      const defaultUrl = shortUrlOf(domain, { pathPrefix: "", slug: made });
      refuseOwnUrl(items, defaultUrl, domain.isCaseSensitive);
      const leading = { kind: "bio_page" as const, defaultUrl, splitTargets };
      return { id, title, ...leading, isActive, ...safety.judgeLocally(leading, null) };
    },
  });
  const page = { bio, theme, items };
  await store.insertContent(tx, tenant.orgId, id, page);
  await recordChange(tx, tenant, "create", { link, page }, changesBetween(null, { link, page }));
  await notify({ link, page, domain }, true);
  return { link, page, domain };
}

/** Returns undefined if nothing changes. Throws 400 and 404. */
async function rewritten(
  { shortUrlOf, safety }: BioPageServiceOptions,
  tx: Db,
  tenant: Tenant,
  before: store.PageRecord,
  { items: asked, bio, theme, ...columns }: ReturnType<typeof checkedPageFields>,
): Promise<store.PageRecord | undefined> {
  const items = asked ? await ownItems(tx, tenant, asked, before.page.items) : before.page.items;
  refuseOwnUrl(items, shortUrlOf(before.domain, before.link), before.domain.isCaseSensitive);
  const page = { bio: bio === undefined ? before.page.bio : bio, theme: theme ?? before.page.theme, items };
  const planned = { ...before.link, ...columns, splitTargets: targetsOf(items) };
  const changes = changesBetween(before, { link: planned, page });
  if (Object.keys(changes).length === 0) return undefined;
  const { splitTargets } = planned;
  const values = { ...columns, splitTargets, ...safety.judgeLocally(planned, before.link) };
  const link = await store.updatePage(tx, tenant.orgId, before.link.id, values, page);
  await recordChange(tx, tenant, "update", { link, page }, changes);
  await safety.noteChange(tx, tenant.orgId, link, before.link.safety, link.safety);
  return { ...before, link, page };
}

async function existing(db: Drizzle, orgId: Tenant["orgId"], id: string): Promise<store.PageRecord> {
  const record = isUuid(id) ? await store.findPage(db, orgId, id) : undefined;
  if (!record) throw notFound("bio page");
  return record;
}

/** Checks the fields, slug, domain and links of a new page. Throws all of their faults together. */
async function checked(db: Drizzle, tenant: Tenant, input: Partial<BioPageInput>) {
  const slug = Promise.try(() => (input.slug ? checkedSlug(input.slug) : null));
  const domain = usableDomain(db, tenant, input.domainId);
  return awaitAllFaults([
    Promise.try(() => checkedPageFields(input)),
    slug,
    domain,
    Promise.all([slug, domain]).then(([own, host]) => refuseOwnPath(host, { prefix: "", slug: own?.key ?? "" })),
    requireOwnLinks(db, tenant, input.links, []),
  ]);
}

async function checkedUpdate(db: Drizzle, tenant: Tenant, id: string, input: BioPageUpdate) {
  const { page } = await existing(db, tenant.orgId, id);
  const [fields] = await awaitAllFaults([
    Promise.try(() => checkedPageFields(input)),
    requireOwnLinks(db, tenant, input.links, page.items),
  ]);
  return fields;
}

async function locked(tx: Db, { orgId }: Tenant, id: string): Promise<store.PageRecord> {
  const record = await store.lockPage(tx, orgId, id);
  if (!record) throw notFound("bio page");
  return record;
}

/**
 * Runs `work` in a transaction. `work` calls `notify` if the page must be served differently from now on;
 * `comesOrGoes` adds that the association files of its domain change, if that is the organization's own.
 */
async function inTransaction<Result>(
  { changeRouting, safety }: BioPageServiceOptions,
  { orgId }: Tenant,
  work: (tx: Db, notify: Notify) => Promise<Result>,
): Promise<Result> {
  const links: store.PageRecord["link"][] = [];
  const result = await changeRouting((tx, changed) =>
    work(tx, async ({ link, domain }, comesOrGoes = false) => {
      changed.link(link, domain);
      links.push(link);
      if (comesOrGoes && domain.orgId !== null) await changed.organization(orgId);
    }),
  );
  for (const link of links) safety.enqueueCheck(orgId, link);
  return result;
}

const makeKey = () => makeSlug((length) => crypto.getRandomValues(new Uint8Array(length)));

/**
 * Returns the items with their keys. An item's deleted link may stay; throws 404 if a new one is not a live link of
 * the organization.
 */
async function ownItems(tx: Db, tenant: Tenant, asked: readonly AskedItem[], before: store.PageContent["items"]) {
  await requireOwnLinks(tx, tenant, asked, before);
  return keyedItems(asked, before, makeKey);
}

/**
 * Throws 404 with a detail for each item whose link is neither a live link of the organization nor was on the page
 * before.
 */
async function requireOwnLinks(
  tx: Db,
  { orgId }: Tenant,
  asked: readonly { linkId?: string | null }[] | null | undefined,
  before: store.PageContent["items"],
): Promise<void> {
  const known = new Set(before.map(({ linkId }) => linkId));
  const linkIds = (asked ?? []).map(({ linkId }) => linkId?.toLowerCase());
  const added = linkIds.flatMap((linkId) => (!linkId || known.has(linkId) ? [] : [linkId]));
  const own = await store.ownLinks(tx, orgId, added.filter(isUuid));
  const isForeign = (linkId: string | undefined) => linkId && !known.has(linkId) && !own.has(linkId);
  const faults = linkIds.flatMap((linkId, index) =>
    isForeign(linkId) ? [`links[${index}].linkId: there is no such link`] : [],
  );
  if (faults.length > 0) throw notFound("link", faults);
}

const isHomePage = ({ link, domain: { redirects } }: store.PageRecord): boolean =>
  typeof redirects.root === "object" && redirects.root.bioPageId === link.id;

const homePage = ({ domain: { hostname } }: store.PageRecord) =>
  conflict(`This page is the home page of ${hostname}; change the domain's redirects first`);

const tooManyPages = () =>
  conflict(`This organization has reached its limit of ${BIO_PAGES_MAX} bio pages; delete one to create another`);
