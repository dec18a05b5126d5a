/**
 * Stops the process on SIGINT or SIGTERM. Once is enough; but who stops a service often says it twice, since a shell, a
 * supervisor and a control group all pass it on, so the second time changes nothing. The third is a person who wants no
 * more of it.
 */
export interface StopSignals {
  stop(signal: string): void;
  /** To be over at once. */
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
