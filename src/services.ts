/** The services that several modules need, each created once, in the order of their dependencies. */
import type { Server } from "bun";
import type { Config } from "@/config";
import type { BrandOf } from "@/edge/branding";
import { callerOf } from "@/http/caller";
import { createFigureTurns } from "@/http/figure-turns";
import { createApiKeyService } from "@/modules/api-keys/service";
import { createAccounts } from "@/modules/auth/account-services";
import { createAddressRules } from "@/modules/auth/email-proof/address-rules";
import { createRegistrationRules } from "@/modules/auth/registration";
import { createLinkService } from "@/modules/links/service";
import { createUtmGenerator } from "@/modules/links/utm";
import { createMemberService } from "@/modules/members/service";
import { createOrganizationService } from "@/modules/organizations/service";
import { createPlans } from "@/modules/plans/service";
import type { ResolveLink } from "@/modules/public/routes";
import type { SafetyChecker } from "@/modules/safety/service";
import type { ClientAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import type { Database } from "@/platform/db/client";
import type { Copies } from "@/platform/db/copies";
import type { Replica } from "@/platform/db/replica/replica";
import type { Certificates } from "@/platform/hosts/certificates";
import type { Dns } from "@/platform/hosts/dns";
import type { HostDirectory } from "@/platform/hosts/hosts";
import type { OwnHosts } from "@/platform/hosts/own-hosts";
import type { Keys } from "@/platform/keys";
import type { Limits } from "@/platform/limits/limits";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { LinkSource } from "@/platform/link-cache/source";
import type { Mailer } from "@/platform/mail";
import type { Outbound } from "@/platform/outbound/outbound";
import type { ChangeRouting } from "@/platform/routing-changes";
import { createSeal } from "@/platform/seal";
import type { Log } from "@/platform/telemetry/log";
import type { WorkerMetrics } from "@/platform/telemetry/metrics";
import type { UsageMeter } from "@/platform/usage";
import type { VisitorSecret } from "@/platform/visitor";
import { createAnnounce } from "@/platform/webhooks/webhook-outbox";
import { createReaders } from "./readers";

/**
 * The resources that the API uses; `service.ts` opens and closes them. Each service and module names the few it
 * needs.
 */
export interface Resources {
  config: Config;
  database: Database;
  /** Null without `DATABASE_READ_URL`. */
  replica: Replica | null;
  keys: Keys;
  clock: Clock;
  log: Log;
  addressOf: ClientAddress;
  copies: Copies;
  linkSource: LinkSource;
  shortUrlOf: ShortUrlOf;
  brandOf: BrandOf;
  changeRouting: ChangeRouting;
  limits: Limits;
  usage: UsageMeter;
  outbound: Outbound;
  dns: Dns;
  hosts: HostDirectory;
  ownHosts: Pick<OwnHosts, "isOwn">;
  /** Null without `FLY_API_TOKEN`. */
  certificates: Certificates | null;
  /** Null without `SMTP_URL`. */
  mailer: Mailer | null;
  safety: SafetyChecker;
  visitorSecret: VisitorSecret;
  resolveLink: ResolveLink;
  /** Tells the dispatcher that webhook deliveries are due. */
  wakeWebhooks(): void;
  /** Tells the worker that an import is due. */
  wakeImports(): void;
  /** Current faults, in a few words each; empty if all is well. */
  faults(): string[];
  /** Records how a request ended, and after how many seconds. */
  measure(route: string, method: string, status: number, seconds: number): void;
  /** Collects the metrics of all processes of this server. */
  metricsOfAll(): Promise<WorkerMetrics[]>;
  /** Aborted when the service begins to stop or to hand over: responses that stay open then end. */
  ending: AbortSignal;
}

/** `server` returns null until the service listens. */
export function createServices(resources: Resources, server: () => Server<unknown> | null) {
  const { config, database, keys, clock, log, limits, mailer, changeRouting, shortUrlOf, safety } = resources;
  const { db, sql } = database;
  const { baseUrl: serviceUrl, defaultPlan } = config;
  const isSecure = serviceUrl.startsWith("https:");

  const seal = createSeal(keys);
  const announce = createAnnounce(resources.wakeWebhooks);

  const organizations = createOrganizationService({ db, clock, defaultPlan, changeRouting });
  const plans = createPlans({ db, clock, requests: resources.usage });
  const rules = createAddressRules({ clock, asksProof: mailer !== null });
  const registration = createRegistrationRules(config.registration);
  const members = createMemberService({ db, clock, serviceUrl, plans, keys, limits, mailer, rules });
  const accounts = createAccounts({
    ...{ db, clock, log, keys, seal, limits, organizations, members, mailer, rules, registration },
    ...{ serviceUrl, isSecure },
  });
  const apiKeys = createApiKeyService({ db, clock, log, plans });

  const links = createLinkService({ db, clock, shortUrlOf, announce, changeRouting, plans, safety });
  const readers = createReaders({ ...resources, links });

  return {
    ...{ db, sql, isSecure, seal, announce, callerOf: callerOf(resources.addressOf, server) },
    figuresInTurn: createFigureTurns(db),
    ...{ organizations, plans, rules, registration, members, ...accounts, apiKeys },
    ...{ links, generateUtm: createUtmGenerator({ clock }), ...readers },
  };
}
