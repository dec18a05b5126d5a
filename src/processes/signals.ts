/**
 * Stops the process on SIGINT or SIGTERM. One signal is enough, but the same stop often arrives twice, because a
 * shell, a supervisor and a control group all pass it on; so the second signal changes nothing. The third comes from
 * a person who wants the process gone immediately.
 */
export interface StopSignals {
  stop(signal: string): void;
  /** Ends the process immediately. */
  force(): void;
}

const FORCED_AT = 3;

export function onStopSignals({ stop, force }: StopSignals): void {
  let times = 0;
  const told = (signal: string) => {
    times += 1;
    if (times === 1) stop(signal);
    if (times === FORCED_AT) force();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => told(signal));
}
