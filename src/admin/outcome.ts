/** The outcome of a command. */
export interface CommandOutcome {
  ok: boolean;
  message: string;
}
