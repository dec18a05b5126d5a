/**
 * Links to be looked at behind the answer, in this process: waiting (each once) → under way → done. Past `WAITING_MAX`
 * further ones are left to the periodic check, as are those that fail and those a crash or a stop loses: a link that is to
 * be looked at says so in its row. Its end waits for what is under
 * way, which is told to end, five seconds at most: a Postgres that has gone silent must not hold up a shutdown.
 */
import type { Log } from "@/platform/telemetry/log";
import type { DueJudgement } from "./store";

const WAITING_MAX = 2_000;
const AT_ONCE = 4;
const STOP_MS_MAX = 5_000;

export interface SafetyQueue extends AsyncDisposable {
  /** Returns at once; does nothing once closed. */
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
