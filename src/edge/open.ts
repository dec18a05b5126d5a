/** Assembles the edge: the handler of short URLs, and the resolver that the API's own route uses as well. */
import type { ClickRecord } from "@/clicks/record";
import type { RecordLead } from "@/core/pages/lead-form";
import type { PlainVisit } from "@/core/routing/plain-visit";
import type { ClientAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Geo } from "@/platform/geo/geo";
import type { HostDirectory } from "@/platform/hosts/hosts";
import type { OwnHosts } from "@/platform/hosts/own-hosts";
import type { Keys } from "@/platform/keys";
import type { Limits } from "@/platform/limits/limits";
import type { Links } from "@/platform/link-cache/open";
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import type { VisitorSecret } from "@/platform/visitor";
import { createAdmit } from "./admit";
import { AppBrandingCache, createAppBrandingSource, type LoadAppBranding } from "./app-branding";
import { createAssociation } from "./association/association";
import { createBioVisit } from "./bio";
import { createBrandedRefusals } from "./branded-refusals";
import { BrandCache, type BrandOf, createBrandSource, type LoadBrand } from "./branding";
import { createCircleCheck } from "./circles";
import { createClickLimit } from "./click-limit";
import { createEdge, type Edge } from "./edge";
import { createGatedVisit } from "./gated-visit";
import { createContinuedVisits } from "./interstitials/continued-visits";
import { createInterstitials } from "./interstitials/interstitials";
import { createLeadVisit } from "./interstitials/lead-visit";
import { createVisitTokens } from "./interstitials/visit-token";
import { createPasswordCheck } from "./link-password";
import { createLinkSearch } from "./link-search";
import { createTokenOf } from "./match-token";
import { createOnward } from "./onward";
import { createPlainVisit } from "./plain-visit";
import { createPlainResolve, createResolveFastPath } from "./resolve/fast-path";
import { createResolver, type Resolver } from "./resolve/resolve";
import { createUnservedCounter, type UnservedCounterOptions } from "./unserved";
import { createVisit } from "./visit";
import type { VisitCounts } from "./visit-counts";

const SAY_EVERY_MS = 10_000;

export interface EdgeResources {
  db: Drizzle;
  keys: Keys;
  links: Pick<Links, "cache" | "onOrganization" | "readOf">;
  hosts: HostDirectory;
  ownHosts: OwnHosts;
  limits: Limits;
  geo: Geo;
  visitorSecret: VisitorSecret;
  addressOf: ClientAddress;
  clock: Clock;
  log: Log;
  shortDomain: string;
  counts: VisitCounts;
  /** Records clicks and opens. Responses are sent once it resolves. */
  record(click: ClickRecord): Promise<boolean>;
  recordLead: RecordLead;
  safety: { isListed(url: string): boolean };
  sharedDomain: UnservedCounterOptions["sharedDomain"];
  countUnserved: UnservedCounterOptions["countUnserved"];
}

export interface OpenEdge {
  edge: Edge;
  resolver: Resolver;
  visitPlain: PlainVisit;
  brandOf: BrandOf;
}

export function openEdge(resources: EdgeResources): OpenEdge {
  const { db, keys, links, hosts, limits, clock, log, recordLead, safety, ...others } = resources;
  const { sharedDomain, countUnserved, shortDomain, ...facts } = others;
  const isCaseSensitive = (host: string) => hosts.of(host)?.isCaseSensitive === true;
  const addressing = { shortDomain, isCaseSensitive };
  const leadsInCircle = createCircleCheck({ hosts, links: links.cache, addressing, clock });
  const shared = {
    ...facts,
    links: links.cache,
    searchLink: createLinkSearch(links.cache, limits),
    admit: createAdmit({ checkPassword: createPasswordCheck(limits), clickLimit: createClickLimit(db) }),
    visitTokens: createVisitTokens(keys),
    continuedVisits: createContinuedVisits(keys),
    tokenOf: createTokenOf(keys),
    ...openLooks(resources),
    addressing,
    onward: createOnward({ hosts, links: links.cache, clock, isListed: safety.isListed, leadsInCircle }),
    unserved: createUnservedCounter({ hosts, sharedDomain, clock, countUnserved }),
    clock,
    log,
  };
  const resolver = createResolver(shared);
  const interstitials = createInterstitials(shared);
  const visit = createVisit({ ...shared, interstitials, visitBio: createBioVisit(shared) });
  const refusals = createBrandedRefusals({ ...shared, hosts, sharedHost: shortDomain });
  const visitWithLead = createLeadVisit({ ...shared, limits, interstitials, recordLead });
  const edge = createEdge({
    ...shared,
    visit,
    refusals,
    visitGated: createGatedVisit({ ...shared, refusals, visit, visitWithLead }),
    resolveFast: createResolveFastPath(resolver),
    answerAssociation: createAssociation({ db, hosts, links, clock, log }),
  });
  const visitPlainLink = createPlainVisit(shared);
  const resolvePlain = createPlainResolve(resolver, shared.ownHosts, clock);
  const visitPlain: PlainVisit = (asked, addressOf) =>
    resolvePlain(asked, addressOf) ?? visitPlainLink(asked, addressOf);
  return { edge, resolver, visitPlain, brandOf: shared.brandOf };
}

function openLooks({ links, clock, log }: EdgeResources) {
  const onLoadFailed = throttleReports(SAY_EVERY_MS, (error, unsaid) =>
    log.warn("could not refresh branding", { error, unsaid }),
  );
  const loadBrand: LoadBrand = (orgId) => links.readOf(orgId, (db) => createBrandSource(db)(orgId));
  const loadFace: LoadAppBranding = (asked) => links.readOf(asked.orgId, (db) => createAppBrandingSource(db)(asked));
  const brands = new BrandCache({ load: loadBrand, clock, onLoadFailed });
  const faces = new AppBrandingCache({ load: loadFace, clock, onLoadFailed });
  links.onOrganization((orgId) => {
    brands.outdate(orgId);
    faces.outdate(orgId);
  });
  return { brandOf: brands.of, faceOf: faces.of };
}
