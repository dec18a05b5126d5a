import { ApiFailure } from "../api/failures";

const CHANGED_MEANWHILE = 412;

/** Somebody else saved the same thing after it was read here. */
export class ChangedMeanwhile<Saved = unknown> extends Error {
  override name = "ChangedMeanwhile";

  constructor(readonly now: Saved) {
    super("Changed by someone else");
  }
}

/** What was saved. Rejects with `ChangedMeanwhile` where the service says that it is no longer what the change was made of. */
export async function unlessChanged<Saved>(saved: Promise<Saved>, read: () => Promise<NoInfer<Saved>>): Promise<Saved> {
  try {
    return await saved;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === CHANGED_MEANWHILE) throw new ChangedMeanwhile(await read());
    throw error;
  }
}
