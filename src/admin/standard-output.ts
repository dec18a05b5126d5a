/** Standard output that reports what it could not take, unlike `console.log`. */

/** The disk behind standard output is full, or the program that reads it has ended. */
export class OutputError extends Error {
  override name = "OutputError";
}

let isHeeded = false;

/** Resolves once it is written. Rejects with `OutputError`. */
export function writeToOutput(content: string | Uint8Array): Promise<void> {
  // Otherwise, the stream ends the process with the same error.
  if (!isHeeded) process.stdout.on("error", () => undefined);
  isHeeded = true;
  return new Promise((resolve, reject) =>
    process.stdout.write(content, (error) => {
      if (error) reject(new OutputError(`Standard output could not be written: ${error.message}`, { cause: error }));
      else resolve();
    }),
  );
}

/** Tells the operator what a command has done. What it shows once, such as a password, must not get lost unnoticed. */
export async function tellResult(text: string): Promise<void> {
  try {
    await writeToOutput(`${text}\n`);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    throw new OutputError(`The command was carried out, but its result is lost. ${error.message}`, { cause: error });
  }
}
