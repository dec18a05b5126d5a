/** Which fault of the file system an error is. */
const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

export const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT";
export const isDiskFull = (error: unknown): boolean => codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT";

/** Does something with a file that another thread may have deleted. */
export function unlessMissing(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
