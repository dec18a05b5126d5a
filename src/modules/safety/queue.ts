/**
 * Queue of links to check in the background, in this process: waiting (each link once) → under way → done. Beyond
 * `WAITING_MAX`, links are left to the periodic check, as are links whose check fails or is lost in a crash or stop:
 * that a link needs a check is stored in its row. Disposal aborts the running checks and waits for them for five
 * seconds at most: a Postgres that no longer responds must not hold up a shutdown.
 */
import type { Log } from "@/platform/telemetry/log";
import type { DueJudgement } from "./store";

const WAITING_MAX = 2_000;
const AT_ONCE = 4;
const STOP_MS_MAX = 5_000;

export interface SafetyQueue extends AsyncDisposable {
  /** Returns immediately. Does nothing once disposed. */
  add(link: DueJudgement): void;
}

export function createSafetyQueue(
  check: (link: DueJudgement, signal: AbortSignal) => Promise<unknown>,
  log: Log,
): SafetyQueue {
  const waiting = new Map<string, DueJudgement>();
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();

  function start(): void {
    while (underWay.size < AT_ONCE && !closing.signal.aborted) {
      const [next] = waiting.values();
      if (!next) return;
      waiting.delete(next.id);
      const work: Promise<void> = doOne(next).finally(() => {
        underWay.delete(work);
        start();
      });
      underWay.add(work);
    }
  }

  async function doOne(link: DueJudgement): Promise<void> {
    try {
      await check(link, closing.signal);
    } catch (error) {
      if (!closing.signal.aborted) log.warn("could not check a link's safety", { linkId: link.id, error });
    }
  }

  return {
    add(link) {
      if (closing.signal.aborted || waiting.size >= WAITING_MAX) return;
      waiting.set(link.id, link);
      start();
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      waiting.clear();
      if (underWay.size > 0) await Promise.race([Promise.all(underWay), Bun.sleep(STOP_MS_MAX)]);
    },
  };
}
