/**
 * `bun run admin`: the operator's commands, for what no route does. It can run beside a running service, with the
 * same settings.
 */
import { type Command, commands } from "./admin/commands";
import { commandFailure } from "./admin/refusal";
import { ConfigError, readConfig } from "./config";
import { createLog } from "./platform/telemetry/log";

const log = createLog((text) => process.stderr.write(text));

const typed = ([name, { parameters }]: [string, Command]): string =>
  [name, ...parameters.map((each) => `<${each}>`)].join(" ");
const width = Math.max(...Object.entries(commands).map((entry) => typed(entry).length));
const linesOf = (entry: [string, Command]): string => {
  const [, { does, options }] = entry;
  return `  ${typed(entry).padEnd(width)}  ${does}${options ? `\n    ${options}` : ""}`;
};
const usage =
  `Usage: bun run admin <command>\n${Object.entries(commands).map(linesOf).join("\n")}\n` +
  "An organization is named by its id or its slug.";

async function main([name = "", ...values]: string[]): Promise<number> {
  if (["help", "--help", "-h"].includes(name)) {
    console.log(usage);
    return 0;
  }
  const command = commands[name];
  if (!command) {
    console.error(name ? `There is no command ${name}.\n\n${usage}` : usage);
    return 2;
  }
  if (!command.options && values.length !== command.parameters.length) {
    console.error(`Usage: bun run admin ${typed([name, command])}\n  ${command.does}`);
    return 2;
  }
  // Loaded only now, so that printing the usage waits for nothing.
  const { run } = await import("./admin/run");
  return run(command, values, readConfig(), log);
}

try {
  process.exit(await main(Bun.argv.slice(2)));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : commandFailure(error));
  process.exit(1);
}
