/** What opens over any screen, triggered from anywhere. */
export type Command = "palette" | "keys" | "curl";

export const COMMAND_EVENT = "waymark-command";

export const openCommand = (command: Command): boolean =>
  document.dispatchEvent(new CustomEvent(COMMAND_EVENT, { detail: command }));
