/**
 * Serves the files that tell phones which apps may open a domain's links, and crawlers what they may read. They are
 * served at their standard paths, only on verified custom domains, and without a redirect.
 */
import { hasCurrent } from "@/core/headers/if-none-match";
import type { Clock } from "@/platform/clock";
import { inTime } from "@/platform/db/in-time";
import type { Db } from "@/platform/db/tx";
import type { HostDirectory } from "@/platform/hosts/hosts";
import type { Links } from "@/platform/link-cache/open";
import { requestIdOf } from "@/platform/request-id";
import { createFailureLog } from "@/platform/telemetry/failure-log";
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import {
  type AssociatedHost,
  AssociationCache,
  type AssociationFile,
  type AssociationFiles,
} from "./association-cache";
import { createAssociationSource } from "./association-source";

const FILES = new Map<string, keyof AssociationFiles>([
  ["/.well-known/apple-app-site-association", "apple"],
  ["/apple-app-site-association", "apple"],
  ["/.well-known/assetlinks.json", "google"],
  ["/robots.txt", "robots"],
]);

/** Apple and Google keep copies of their own; this is for caches in front of the service. */
const KEPT = "public, max-age=300";

const SAY_EVERY_MS = 10_000;

export interface AssociationOptions {
  db: Db;
  hosts: HostDirectory;
  links: Pick<Links, "onOrganization">;
  clock: Clock;
  log: Log;
}

/** Returns undefined for any other path. */
export type AnswerAssociation = (
  request: Request,
  host: string,
  path: string,
) => Response | Promise<Response> | undefined;

export function createAssociation({ db, hosts, links, clock, log }: AssociationOptions): AnswerAssociation {
  const sayFailed = throttleReports(SAY_EVERY_MS, (error, unsaid) =>
    log.warn("could not refresh association files", { error, unsaid }),
  );
  const logFailure = createFailureLog(log, "could not load an association file");
  const files = new AssociationCache({ load: createAssociationSource(db), clock, onLoadFailed: sayFailed });
  links.onOrganization((orgId) => files.outdate(orgId));

  return (request, host, path) => {
    const name = FILES.get(path);
    if (name === undefined) return undefined;
    const found = hosts.of(host);
    if (name === "robots" && !found) return undefined;
    if (request.method !== "GET" && request.method !== "HEAD") return notAllowed();
    return found ? answer(request, found, name) : notServed();
  };

  async function answer(request: Request, host: AssociatedHost, name: keyof AssociationFiles): Promise<Response> {
    try {
      const own = await inTime(files.of(host));
      return own ? send(request, own[name]) : notServed();
    } catch (error) {
      const requestId = requestIdOf(request);
      logFailure(requestId, error);
      const headers = { "retry-after": "1", "x-request-id": requestId };
      return refuse(503, "Association files are unavailable right now; try again shortly", headers);
    }
  }
}

function send(request: Request, { body, type, etag }: AssociationFile): Response {
  const headers = { "cache-control": KEPT, etag, "x-content-type-options": "nosniff" };
  if (hasCurrent(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": type } });
}

const notServed = () => refuse(404, "This host serves no association files");
const notAllowed = () => refuse(405, "Association files support only GET and HEAD", { allow: "GET, HEAD" });

function refuse(status: number, error: string, headers: Record<string, string> = {}): Response {
  const fixed = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  return Response.json({ error }, { status, headers: { ...fixed, ...headers } });
}
