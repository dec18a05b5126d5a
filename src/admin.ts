/**
 * `bun run admin`: the operator's commands, for what no route does. It can run beside a running service, with the
 * same settings.
 */
import { commands } from "./admin/commands";
import { ConfigError, readConfig } from "./config";
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
  // Loaded only now, so that printing the usage waits for nothing.
  const { run } = await import("./admin/run");
  return run(command, values, readConfig(), log);
}

try {
  process.exit(await main(Bun.argv.slice(2)));
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof SettingError ? error.message : error);
  process.exit(1);
}
