/** How a command ended. */
export interface Outcome {
  ok: boolean;
  message: string;
}
