/**
 * Limits reports of what may happen thousands of times a second to one per interval. Each report is given `unsaid`,
 * the number of those left out since the one before.
 */
export function throttleReports<Argument>(
  intervalMs: number,
  say: (argument: Argument, unsaid: number) => void,
): (argument: Argument) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return (argument) => {
    const now = performance.now();
    if (now - saidAt < intervalMs) {
      unsaid++;
      return;
    }
    say(argument, unsaid);
    saidAt = now;
    unsaid = 0;
  };
}
