/**
 * The app's routes and the OpenAPI document built from them, without its dependencies: no database is ever reached.
 */
import { type App, createApp } from "@/app";
import { readConfig } from "@/config";
import { buildDocument } from "@/http/document/openapi";
import type { Access, OpenApiDocument, Operation } from "@/http/document/types";
import { createSafetyChecker } from "@/modules/safety/checker";
import { clientAddress } from "@/platform/client-address";
import { openDatabase } from "@/platform/db/client";
import { Copies } from "@/platform/db/copies";
import { createDns } from "@/platform/hosts/dns";
import { openKeys } from "@/platform/keys";
import { openLimits } from "@/platform/limits/limits";
import { shortUrls } from "@/platform/link-cache/short-urls";
import { createLinkSource } from "@/platform/link-cache/source";
import { createOutbound } from "@/platform/outbound/outbound";
import { routingChanges } from "@/platform/routing-changes";
import { createLog } from "@/platform/telemetry/log";
import { openUsage } from "@/platform/usage";
import { visitorSecret } from "@/platform/visitor";

export const DESCRIBED_ORIGIN = "https://links.acme.dev";

export interface DescribedRoute {
  method: string;
  /** The app's notation, with `:name` for a parameter. */
  path: string;
  /** The document's notation, with `{name}` for a parameter. */
  documentPath: string;
  access: Access;
  isHidden: boolean;
}

export interface Described {
  app: App;
  document: OpenApiDocument;
  gaps: string[];
  routes: DescribedRoute[];
}

let described: Promise<Described> | undefined;

export function describeApp(): Promise<Described> {
  described ??= open();
  return described;
}

async function open(): Promise<Described> {
  const app = await openApp();
  const { document, gaps } = await buildDocument(app, DESCRIBED_ORIGIN);
  return { app, document, gaps, routes: app.routes.map(describeRoute) };
}

async function openApp(): Promise<App> {
  const config = readConfig({ BASE_URL: DESCRIBED_ORIGIN, APP_SECRET: "a secret of the described app alone" });
  const database = openDatabase("postgres://nobody@127.0.0.1:1/none", { pool: "tool" });
  const shortUrlOf = shortUrls(config.baseUrl);
  const changeRouting = routingChanges(
    database.db,
    async () => {},
    () => {},
  );
  return createApp({
    config,
    database,
    replica: null,
    keys: await openKeys(config),
    clock: Date.now,
    log: createLog(() => {}),
    addressOf: clientAddress(config),
    copies: new Copies(),
    linkSource: createLinkSource(database.db, shortUrlOf),
    shortUrlOf,
    brandOf: async () => null,
    changeRouting,
    wakeWebhooks() {},
    wakeImports() {},
    limits: openLimits({ clock: Date.now, redisUrl: null, database: "", onError() {} }),
    usage: openUsage({ sql: database.sql, clock: Date.now, log: createLog(() => {}) }),
    outbound: createOutbound({ allow: [] }),
    dns: createDns([]),
    hosts: { of: () => undefined },
    ownHosts: { isOwn: () => true },
    certificates: null,
    mailer: null,
    safety: createSafetyChecker({
      db: database.db,
      clock: Date.now,
      log: createLog(() => {}),
      changeRouting,
      blocklist: null,
      webRisk: null,
      isServed: () => false,
    }),
    visitorSecret: visitorSecret(new Uint8Array(32), "none"),
    resolveLink: async () => ({ ok: false, status: 404, error: "This link does not exist" }),
    faults: () => [],
    measure() {},
    metricsOfAll: async () => [],
    ending: new AbortController().signal,
  });
}

interface Hooks {
  detail?: { "x-access"?: Access; hide?: boolean };
}

function describeRoute(route: App["routes"][number]): DescribedRoute {
  const { detail }: Hooks = route.hooks;
  return {
    method: route.method,
    path: route.path,
    documentPath: route.path.replaceAll(/:(\w+)/g, "{$1}"),
    access: detail?.["x-access"] ?? {},
    isHidden: detail?.hide === true,
  };
}

export interface DescribedOperation extends Operation {
  method: string;
  path: string;
}

export function operationsOf(document: OpenApiDocument): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}
