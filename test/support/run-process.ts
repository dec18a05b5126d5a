/** Which of a run's processes this is, as the runner numbers them from 1. */
const number = Number(Bun.env.BUN_TEST_WORKER_ID ?? 0);

export const isOneOfSeveral = number > 0;

/** Of a list with one for each process, divided by spaces: this one's. */
export const ownOf = (list: string | undefined): string | undefined => list?.split(" ")[Math.max(0, number - 1)];
