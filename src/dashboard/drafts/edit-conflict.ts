import { ApiFailure } from "../api/failures";

const CHANGED_MEANWHILE = 412;

/** Thrown if someone else saved the same resource after it was read here. */
export class EditConflict<Saved = unknown> extends Error {
  override name = "EditConflict";

  constructor(readonly now: Saved) {
    super("Changed by someone else");
  }
}

/**
 * Awaits a save. Rejects with `EditConflict` if the service reports that the resource is no longer the version
 * read.
 */
export async function rejectOnConflict<Saved>(
  saved: Promise<Saved>,
  read: () => Promise<NoInfer<Saved>>,
): Promise<Saved> {
  try {
    return await saved;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === CHANGED_MEANWHILE) throw new EditConflict(await read());
    throw error;
  }
}
