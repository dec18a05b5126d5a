/**
 * Heeds signals from the first moment of a process. Whatever handles them is loaded later: without a handler, a hang-up
 * would end a process that it asks to replace itself, and the first process of a container would never see a stop.
 * Imported before everything else for that reason.
 */
export interface SignalHandlers {
  SIGINT(): void;
  SIGTERM(): void;
  SIGHUP(): void;
}

let hasHungUp = false;
/** Nothing has been started that would have to be ended. */
const exit = () => process.exit(0);
const early: SignalHandlers = {
  SIGINT: exit,
  SIGTERM: exit,
  SIGHUP() {
    hasHungUp = true;
  },
};

let handlers = early;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => handlers[signal]());

/** Takes over from now on. A hang-up that has already arrived is handled at once. */
export function handleSignals(later: SignalHandlers): void {
  const hasEarlier = handlers === early && hasHungUp;
  handlers = later;
  if (hasEarlier) later.SIGHUP();
}

export interface StopSignals {
  stop(signal: string): void;
  /** Ends the process immediately. */
  force(): void;
}

const FORCED_AT = 3;

/**
 * Stops the process on SIGINT or SIGTERM. One signal is enough, but the same stop often arrives twice, because a
 * shell, a supervisor and a control group all pass it on; so the second signal changes nothing. The third comes from
 * a person who wants the process gone immediately.
 */
export function stopHandlers({ stop, force }: StopSignals): Pick<SignalHandlers, "SIGINT" | "SIGTERM"> {
  let times = 0;
  const told = (signal: string) => {
    times += 1;
    if (times === 1) stop(signal);
    if (times === FORCED_AT) force();
  };
  return { SIGINT: () => told("SIGINT"), SIGTERM: () => told("SIGTERM") };
}
