/**
 * Serves a redirect up to and including one of its stages; the arguments are the port and the stage. Uses the
 * product's own parts, so that the difference between two stages is the cost of the later one.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkDefinition, PATHS } from "@test/bench/subject";
import type { Server } from "bun";
import { Spool } from "@/clicks/spool/spool";
import { compileLink, finalDestination } from "@/core/routing/compiled-link";
import { redirect } from "@/edge/answers";
import { Hit } from "@/edge/hit";
import { createVisit } from "@/edge/visit";
import { createVisitCounts } from "@/edge/visit-counts";
import { visitorFacts } from "@/edge/visitor-facts";
import { clientAddress } from "@/platform/client-address";
import { openGeo } from "@/platform/geo/geo";
import { visitorSecret } from "@/platform/visitor";

const port = Number(Bun.argv[2]);
const stage = Bun.argv[3] ?? "";

const links = new Map(PATHS.map((path, index) => [`127.0.0.1:${port}${path}`, compileLink(linkDefinition(index))]));
const geo = await openGeo();
const addressOf = clientAddress({ trustedProxies: ["127.0.0.1"], clientIpHeader: "x-forwarded-for" });
const spool = new Spool({
  folder: await mkdtemp(join(tmpdir(), "waymark-stage-")),
  sequenceBefore: 0,
  bytesMax: Infinity,
  fsyncMs: 10,
  onCommit: () => undefined,
  onFault: (fault) => {
    throw fault;
  },
});
const visitOptions = {
  geo,
  visitorSecret: visitorSecret(new Uint8Array(32), "none"),
  counts: createVisitCounts(),
  tokenOf: () => undefined,
  continuedVisits: { of: () => null },
  interstitials: { arrive: () => undefined },
  visitBio: async () => answer(),
};
const visits = {
  routing: createVisit({ ...visitOptions, record: async () => true }),
  recording: createVisit({ ...visitOptions, record: (click) => spool.append(click) }),
};

const findLink = ({ url }: Request) => {
  const link = links.get(url.slice(url.indexOf("//") + 2));
  if (!link) throw new Error(`${url} is no link of the benchmark`);
  return link;
};
const hitOf = (request: Request, server: Server<unknown>) => new Hit(request, server, "", Date.now(), addressOf);
const readVisitor = ({ headers }: Request) => ({
  userAgent: headers.get("user-agent") ?? "",
  acceptLanguage: headers.get("accept-language") ?? "",
  referrer: headers.get("referer") ?? "",
});
const init = { status: 302, headers: new Headers({ location: "https://example.com/landing" }) };
const answer = () => new Response(null, init);
const seen = { length: 0 };

/** In order: each stage includes the ones before it. */
const stages: Record<string, (request: Request, server: Server<unknown>) => Response | Promise<Response>> = {
  "headers made once": answer,
  "the link": (request) => {
    seen.length = findLink(request).needs;
    return answer();
  },
  "three headers": (request) => {
    seen.length = findLink(request).needs + readVisitor(request).userAgent.length;
    return answer();
  },
  "the client's address": (request, server) => {
    seen.length = findLink(request).needs + readVisitor(request).userAgent.length + addressOf(request, server).length;
    return answer();
  },
  "facts, rules, destination": (request, server) => {
    const link = findLink(request);
    const visitor = { ...readVisitor(request), address: addressOf(request, server), query: "" };
    const route = link.route(visitorFacts(link, visitor, geo, Date.now()), { visitorKey: () => "" });
    return redirect(route, finalDestination(link, route, { query: "" }));
  },
  "the visit without its record": (request, server) => visits.routing(findLink(request), hitOf(request, server)),
  "the click in the spool": (request, server) => visits.recording(findLink(request), hitOf(request, server)),
};

const fetch = stages[stage];
if (!fetch) throw new Error(`No stage is called ${stage}`);
Bun.serve({ port, hostname: "127.0.0.1", development: false, fetch });
