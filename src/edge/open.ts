/** The edge with all it stands on: what answers short URLs, and the resolver that the API's own route asks as well. */
import { randomBytes } from "node:crypto";
import type { ClickRecord } from "@/clicks/record";
import type { Route } from "@/core/compiled-link";
import { mintToken } from "@/core/tokens";
import type { ClientAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Geo } from "@/platform/geo";
import type { HostDirectory } from "@/platform/hosts";
import type { Keys } from "@/platform/keys";
import type { Limits } from "@/platform/limits/limits";
import type { Links } from "@/platform/link-cache/open";
import type { Log } from "@/platform/log";
import { matchSignature } from "@/platform/match-signature";
import type { VisitorSecret } from "@/platform/visitor";
import { createAdmission } from "./admission";
import { createAssociation } from "./association";
import { createEdge, type Edge } from "./edge";
import { createPasswordCheck } from "./link-password";
import { createLinkSearch } from "./link-search";
import { createResolver, type Resolver } from "./resolve";
import { createResolveLane } from "./resolve-lane";
import { createVisit } from "./visit";

export interface EdgeResources {
  db: Drizzle;
  keys: Keys;
  links: Pick<Links, "cache" | "onOrganization">;
  hosts: HostDirectory;
  limits: Limits;
  geo: Geo;
  visitorSecret: VisitorSecret;
  addressOf: ClientAddress;
  clock: Clock;
  log: Log;
  shortDomain: string;
  baseUrl: string;
  /** Of clicks and opens; answers leave once it resolves. */
  record(click: ClickRecord): Promise<boolean>;
}

export function openEdge(resources: EdgeResources): { edge: Edge; resolver: Resolver } {
  const { db, keys, links, hosts, limits, clock, log, baseUrl, ...facts } = resources;
  const shared = {
    ...facts,
    links: links.cache,
    searchLink: createLinkSearch(links.cache, limits),
    checkPassword: createPasswordCheck(limits),
    admission: createAdmission(db),
    clock,
    log,
  };
  const resolver = createResolver(shared);
  const edge = createEdge({
    ...shared,
    visit: createVisit({ ...shared, mintToken: tokenMint(keys) }),
    resolveLane: createResolveLane(resolver, clock),
    answerAssociation: createAssociation({ db, hosts, links, clock, log }),
    ownHost: new URL(baseUrl).host,
  });
  return { edge, resolver };
}

function tokenMint(keys: Keys) {
  const sign = matchSignature(keys.current("match-token"));
  return (linkNumber: number, route: Route, at: number) =>
    mintToken(
      { linkNumber, mintedAt: at, kind: route.kind, position: route.position },
      randomBytes(4).readUInt32BE(),
      sign,
    );
}
