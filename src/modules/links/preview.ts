/** `POST links/preview`: what a visitor would get, and why; fetches nothing, records nothing. */
import type { LinkPreview, LinkPreviewInput } from "@/contract/links/links";
import type { Tenant } from "@/core/ids";
import { formerSlugKey, slugKey } from "@/core/names/slug";
import { type CompiledLink, compileLink, finalDestination, type SplitPick } from "@/core/routing/compiled-link";
import { localTime, NOTHING_KNOWN, parseAcceptLanguage, type VisitorFacts, withStated } from "@/core/routing/facts";
import { blockers, type GateVisit, type PasswordState } from "@/core/routing/gate";
import { storeSkipped } from "@/core/routing/store-skipped";
import { traceRules } from "@/core/rules/trace";
import { NO_INSTANT, parseInstant } from "@/core/time/instant";
import { invalid, notFound } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import { addressOf, formerAddressOf, normaliseHost } from "@/platform/link-cache/address";
import type { LinkSource, ShortUrlOf } from "@/platform/link-cache/source";
import { type HashPlace, verifyPassword } from "@/platform/passwords/passwords";
import { presentLink } from "./present";
import * as store from "./store";

export interface PreviewOptions {
  db: Db;
  clock: Clock;
  source: LinkSource;
  shortUrlOf: ShortUrlOf;
  shortDomain: string;
  random(): number;
}

export type LinkPreviewer = ReturnType<typeof createLinkPreview>;

export function createLinkPreview({ db, clock, source, shortUrlOf, shortDomain, random }: PreviewOptions) {
  /** Throws 400 without an identifier, 404 for an unknown link. */
  return async (tenant: Tenant, input: LinkPreviewInput): Promise<LinkPreview> => {
    const record = await identified(tenant, input);
    const sourced = record && (await source.byId(record.link.id));
    if (!record || !sourced) throw notFound("link");
    const link = compileLink(sourced.definition);
    const now = input.now ? instantOf(input.now) : clock();
    const facts = factsOf(input, now);
    const route = link.route(facts, pickOf(input));
    const blocked = blockers(link.definition.gate, await gateVisit(db, tenant, link, input, now));
    return {
      ok: blocked.length === 0,
      blockers: blocked,
      context: {
        ...facts,
        now: new Date(now).toISOString(),
        visitorId: input.visitorId,
      },
      link: presentLink(record, shortUrlOf),
      route: {
        kind: route.kind,
        ruleIndex: route.ruleIndex,
        splitKey: route.splitKey,
        destinationUrl: finalDestination(link, route, { query: "" }),
        storeSkipped: storeSkipped({
          link: link.definition,
          namesProfile: record.link.appProfileId !== null,
          isOnSharedDomain: record.domain.orgId === null,
          facts,
          route,
        }),
      },
      ruleTrace: traceRules(link, facts),
      safety: record.link.safety,
      deepLinkPayload: link.definition.deepLinkPayload ?? {},
    };
  };

  async function identified(tenant: Tenant, input: LinkPreviewInput): Promise<store.LinkRecord | undefined> {
    if (input.shortUrl) return atShortUrl(tenant, input.shortUrl);
    if (!input.slug) throw invalid(["shortUrl: required, or slug with an optional domain and pathPrefix"]);
    const keys = pathKeys((input.pathPrefix ?? "").replace(/^\/+|\/+$/g, ""), input.slug);
    const host = input.domain && normaliseHost(input.domain, shortDomain);
    return firstFound(keys, ({ prefix, slug }) =>
      host
        ? store.findLinkAt(db, tenant.orgId, host, prefix, slug)
        : store.findLinkBySlug(db, tenant.orgId, prefix, slug),
    );
  }

  async function atShortUrl(tenant: Tenant, shortUrl: string): Promise<store.LinkRecord | undefined> {
    const url = URL.parse(/^https?:\/\//i.test(shortUrl) ? shortUrl : `https://${shortUrl}`);
    const address = url && addressOf(url.host, url.pathname, shortDomain);
    if (!address) throw invalid(["shortUrl: expected a short URL like https://go.example.com/slug"]);
    const former = formerAddressOf(url.host, url.pathname, shortDomain);
    return firstFound(former ? [former, address] : [address], ({ host, prefix, slug }) =>
      store.findLinkAt(db, tenant.orgId, host, prefix, slug),
    );
  }

  /** The simulated visitor's sticky key, or a draw. Without an id every preview is the same, nameless visitor. */
  function pickOf({ randomizeVisitor, visitorId }: LinkPreviewInput): SplitPick {
    return randomizeVisitor ? { draw: random } : { visitorKey: () => visitorId ?? "" };
  }
}

async function gateVisit(
  db: Db,
  { orgId, signal }: Tenant,
  link: CompiledLink,
  input: LinkPreviewInput,
  now: number,
): Promise<GateVisit> {
  const { id, gate } = link.definition;
  const admitted = gate.maxClicks === null ? undefined : await store.countAdmitted(db, id);
  return {
    now,
    admitted,
    password: await passwordState(gate.passwordHash, input.password, { purpose: "links", asker: orgId, signal }),
  };
}

interface PathKey {
  prefix: string;
  slug: string;
}

/** Where the link may stand; one that kept its former key goes first, as for visitors. */
function pathKeys(prefix: string, slug: string): PathKey[] {
  const key = { prefix: slugKey(prefix), slug: slugKey(slug) };
  const former = formerSlugKey(`${prefix}/${slug}`);
  if (former === null) return [key];
  const end = former.lastIndexOf("/");
  return [{ prefix: former.slice(0, end), slug: former.slice(end + 1) }, key];
}

async function firstFound<Key, Found>(
  keys: readonly Key[],
  find: (key: Key) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const key of keys) {
    const found = await find(key);
    if (found) return found;
  }
  return undefined;
}

async function passwordState(
  hash: string | null,
  password: string | undefined,
  place: HashPlace,
): Promise<PasswordState> {
  if (hash === null || !password) return "absent";
  return (await verifyPassword(password, hash, place)) ? "correct" : "incorrect";
}

function factsOf(input: LinkPreviewInput, now: number): VisitorFacts {
  const languages = input.language ? parseAcceptLanguage(input.language) : [];
  const local = localTime(now, { offsetMinutes: input.timezoneOffsetMinutes ?? 0 });
  return withStated({ ...NOTHING_KNOWN, languages, ...local }, input);
}

function instantOf(text: string): number {
  const at = parseInstant(text);
  if (at === undefined) throw invalid([`now: ${NO_INSTANT}`]);
  return at;
}
