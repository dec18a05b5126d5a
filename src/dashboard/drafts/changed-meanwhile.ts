/** Somebody else saved the same thing after it was read here. */
export class ChangedMeanwhile<Saved = unknown> extends Error {
  override name = "ChangedMeanwhile";

  constructor(readonly now: Saved) {
    super("Changed by someone else");
  }
}
