/** Returns what the operator's commands need to run against a test service. */
import type { TestService } from "@test/support/service";
import type { CommandParts } from "@/admin/commands";
import { readConfig } from "@/config";
import { createLog } from "@/platform/telemetry/log";

export const operatorParts = ({ databaseUrl, url }: Pick<TestService, "databaseUrl" | "url">): CommandParts => ({
  config: readConfig({ DATABASE_URL: databaseUrl, BASE_URL: url, APP_SECRET: crypto.randomUUID() }),
  databaseUrls: { databaseUrl, directUrl: databaseUrl },
  log: createLog(() => {}),
});
