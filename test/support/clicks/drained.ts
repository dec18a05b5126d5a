/** Anything that writes clicks and reports whether all were written within its own timeout. */
type Writer = { drain(): Promise<boolean> } | { drainClicks(): Promise<boolean> };

/**
 * Resolves once every click is in Postgres. The thread that writes them has low priority, so on a busy machine that
 * can take longer than one timeout.
 */
export async function waitUntilDrained(writer: Writer): Promise<void> {
  const once = () => ("drain" in writer ? writer.drain() : writer.drainClicks());
  while (!(await once()));
}
