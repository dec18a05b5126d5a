/**
 * The Compose example of the guide: its settings of the service are valid and consistent with the services beside it.
 */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "@/config";

interface Compose {
  services: Record<string, { environment?: Record<string, string>; volumes?: string[] }>;
  configs: { caddyfile: { content: string } };
}

const guide = await readFile(join(import.meta.dir, "../../src/http/docs/guide/operating.md"), "utf8");
const [, yaml = ""] = /```yaml\n(services:\n[\s\S]*?)```/.exec(guide) ?? [];
const { services, configs } = Bun.YAML.parse(yaml) as Compose;
const SECRET = "0123456789abcdef0123456789abcdef";
const filled = (text: string) => text.replaceAll(/\$\{\w+:\?\}/g, SECRET);

test("the settings of the Compose example are valid in production, without a misspelt name", () => {
  const given = Object.entries(services.waymark?.environment ?? {}).map(([name, value]) => [name, filled(value)]);
  const config = readConfig({ NODE_ENV: "production", DATA_DIR: "/data", ...Object.fromEntries(given) });
  expect(config.warnings.filter((warning) => !warning.startsWith("REGISTRATION"))).toEqual([]);
  for (const url of [config.databaseUrl, config.redisUrl]) {
    expect(Object.keys(services)).toContain(new URL(url ?? "").hostname);
  }
  const postgres = services.postgres?.environment ?? {};
  const { username, password, pathname } = new URL(config.databaseUrl ?? "");
  expect([username, password, pathname.slice(1)]).toEqual(
    [postgres.POSTGRES_USER, postgres.POSTGRES_PASSWORD, postgres.POSTGRES_DB].map((text) => filled(text ?? "")),
  );
  expect(services.waymark?.volumes).toEqual(["spool:/data"]);
});

test("Caddy asks the service which hosts are served, with the operator's token", () => {
  expect(configs.caddyfile.content).toContain(
    "ask http://caddy:{$$METRICS_TOKEN}@waymark.localhost:3000/internal/tls/ask",
  );
  expect(services.caddy?.environment?.METRICS_TOKEN).toBe(services.waymark?.environment?.METRICS_TOKEN ?? "");
});
