/** How a command ended. */
export interface CommandOutcome {
  ok: boolean;
  message: string;
}
