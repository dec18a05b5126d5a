/** The number of this process in a parallel run, from 1 as the test runner assigns it; 0 outside parallel runs. */
const number = Number(Bun.env.BUN_TEST_WORKER_ID ?? 0);

export const isOneOfSeveral = number > 0;

/** Returns this process's item of a space-separated list that has one item for each process. */
export const itemOfThisProcess = (list: string | undefined): string | undefined =>
  list?.split(" ")[Math.max(0, number - 1)];
