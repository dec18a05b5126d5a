/** The numbers of clicks that a server has recorded in its spool and written to Postgres, from its own metrics. */
export interface Written {
  recorded: number;
  applied: number;
}

const CHECK_MS = 250;
const DRAIN_MS_MAX = 300_000;

export async function writtenBy(origin: string): Promise<Written> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const countOf = (name: string) => {
    const counts = [...text.matchAll(new RegExp(`^${name}\\{.*\\} (\\d+)$`, "gm"))].map(([, count]) => Number(count));
    if (counts.length === 0) throw new Error(`${origin}/metrics has no ${name}`);
    return counts.reduce((sum, count) => sum + count, 0);
  };
  return {
    recorded: countOf("waymark_clicks_recorded_total"),
    applied: countOf("waymark_clicks_applied_total"),
  };
}

/** Waits until every click is in Postgres. Rejects after 5 minutes. */
export async function drained(origin: string): Promise<void> {
  for (const begun = performance.now(); performance.now() - begun < DRAIN_MS_MAX; await Bun.sleep(CHECK_MS)) {
    const { recorded, applied } = await writtenBy(origin);
    if (applied >= recorded) return;
  }
  throw new Error(`${origin} did not write all its clicks within ${DRAIN_MS_MAX / 1000} s`);
}
