/** What keeps the service from starting, in one sentence that begins with the setting to look at. Shown without a stack. */
export class SettingError extends Error {
  override name = "SettingError";
  constructor(
    readonly setting: string,
    sentence: string,
    options?: ErrorOptions,
  ) {
    super(`${setting}: ${sentence}`, options);
  }
}
