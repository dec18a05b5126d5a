/**
 * Says what keeps the service from starting, in one sentence that begins with the setting to check. Shown without a
 * stack trace.
 */
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
