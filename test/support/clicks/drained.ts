/** Whatever writes clicks and says whether all of them were written in the time it takes for that. */
type Writer = { drain(): Promise<boolean> } | { drainClicks(): Promise<boolean> };

/** Until every click is in Postgres: the thread that writes them stands back, so that on a busy machine it may take its time. */
export async function drained(writer: Writer): Promise<void> {
  const once = () => ("drain" in writer ? writer.drain() : writer.drainClicks());
  while (!(await once()));
}
