import { ApiFailure } from "../api/failures";

const CHANGED_MEANWHILE = 412;

/** Thrown if someone else saved the same resource after it was read here. */
export class ChangedMeanwhile<Saved = unknown> extends Error {
  override name = "ChangedMeanwhile";

  constructor(readonly now: Saved) {
    super("Changed by someone else");
  }
}

/**
 * Awaits a save. Rejects with `ChangedMeanwhile` if the service reports that the resource is no longer the version
 * read.
 */
export async function unlessChanged<Saved>(saved: Promise<Saved>, read: () => Promise<NoInfer<Saved>>): Promise<Saved> {
  try {
    return await saved;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === CHANGED_MEANWHILE) throw new ChangedMeanwhile(await read());
    throw error;
  }
}
