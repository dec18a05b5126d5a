/** `bun run admin`: what an operator does without a route. Works beside a running service, on the same settings. */
import { commands } from "./admin/commands";
import { ConfigError, readConfig } from "./config";
import { openDatabase } from "./platform/db/client";
import { startEmbeddedPostgres } from "./platform/db/embedded/embedded";
import { prepareDatabase } from "./platform/db/prepare";
import { SettingError } from "./platform/setting-error";
import { createLog } from "./platform/telemetry/log";

const log = createLog((text) => process.stderr.write(text));

const usage = `Usage: bun run admin <command>
${Object.entries(commands)
  .map(
    ([name, { parameters, options, does }]) =>
      `  ${[name, ...parameters.map((each) => `<${each}>`)].join(" ").padEnd(36)} ${does}${options ? `\n    ${options}` : ""}`,
  )
  .join("\n")}`;

async function main([name = "", ...values]: string[]): Promise<number> {
  const command = commands[name];
  if (!command || (!command.options && values.length !== command.parameters.length)) {
    console.error(usage);
    return 2;
  }
  const { databaseUrl, databaseDirectUrl, dataDir } = readConfig();
  const embedded = databaseUrl ? undefined : await startEmbeddedPostgres(dataDir, console.error);
  const url = databaseDirectUrl ?? databaseUrl ?? embedded?.url ?? "";
  await prepareDatabase({ databaseUrl: url, directUrl: url }, log);
  const database = openDatabase(url, { pool: "tool", name: "waymark admin" });
  try {
    const outcome = await command.run(database.db, values, database);
    if (outcome.message) (outcome.ok ? console.log : console.error)(outcome.message);
    return outcome.ok ? 0 : 1;
  } finally {
    await database.close();
    await embedded?.stop();
  }
}

try {
  process.exit(await main(Bun.argv.slice(2)));
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof SettingError ? error.message : error);
  process.exit(1);
}
