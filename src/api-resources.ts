/** What the API stands on, by its types. */

import type { Config } from "@/config";
import type { Told } from "@/modules/health/index";
import type { ResolveLink } from "@/modules/public/routes";
import type { SafetyChecker } from "@/modules/safety/service";
import type { Certificates } from "@/platform/certificates";
import type { ClientAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import type { Database } from "@/platform/db/client";
import type { Copies } from "@/platform/db/copies";
import type { Dns } from "@/platform/dns";
import type { HostDirectory } from "@/platform/hosts";
import type { Keys } from "@/platform/keys";
import type { Limits } from "@/platform/limits/limits";
import type { LinkSource, ShortUrlOf } from "@/platform/link-cache/source";
import type { Log } from "@/platform/log";
import type { Mailer } from "@/platform/mail";
import type { Outbound } from "@/platform/outbound";
import type { ChangeRouting } from "@/platform/routing-changes";
import type { Usage } from "@/platform/usage";
import type { VisitorSecret } from "@/platform/visitor";

/** What the API stands on; opened and closed by `service.ts`. */
export interface Resources extends Told {
  config: Config;
  database: Database;
  keys: Keys;
  clock: Clock;
  log: Log;
  addressOf: ClientAddress;
  copies: Copies;
  linkSource: LinkSource;
  shortUrlOf: ShortUrlOf;
  changeRouting: ChangeRouting;
  /** There is something to send. */
  wakeWebhooks(): void;
  limits: Limits;
  usage: Usage;
  outbound: Outbound;
  dns: Dns;
  hosts: HostDirectory;
  /** Null without `FLY_API_TOKEN`. */
  certificates: Certificates | null;
  /** Null without `SMTP_URL`. */
  mailer: Mailer | null;
  safety: SafetyChecker;
  resolveLink: ResolveLink;
  visitorSecret: VisitorSecret;
  /** Aborted when the service begins to stop or to hand over: answers that stay open end. */
  ending: AbortSignal;
}
