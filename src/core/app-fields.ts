/** Validates what the schema cannot about an app's fields, in an app profile as well as in a domain's `appConfig`. */
import type { AndroidApp, AppConfigInput, IosApp } from "@/contract/apps";
import { storedUrl } from "./routing/destination";

/** A URI scheme (RFC 3986). */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
/**
 * Schemes that cannot belong to a customer's app: those of the web, those that run or read something, and the
 * system's own.
 */
const FOREIGN_SCHEMES: ReadonlySet<string> = new Set([
  ...["http", "https", "ws", "wss", "ftp", "file", "filesystem", "data", "blob", "about", "javascript", "vbscript"],
  ...["view-source", "chrome", "resource", "jar", "content", "intent", "android-app", "market", "googlechrome"],
  ...["itms", "itmss", "itms-apps", "itms-appss", "itms-services", "mailto", "tel", "telprompt", "sms", "facetime"],
  ...["facetime-audio", "maps", "webcal", "prefs", "app-prefs", "shortcuts", "x-apple-health"],
]);

/**
 * The characters that App Store Connect lists for campaign names; the curly quotes it shows stand for straight ones.
 */
const CAMPAIGN = /^(?! )[A-Za-z0-9 [\]/\\\-~+=<>:;,._'‘’"“”*&$%#@?!|{}()]*(?<! )$/;

export type AppFields = Pick<AppConfigInput, "ios" | "android" | "iconUrl" | "subtitle">;

/**
 * Returns the fields in the form in which they are stored. Adds each fault to `faults`, prefixed with its field's
 * name.
 */
export function normaliseApp<Fields extends AppFields>(fields: Fields, faults: string[]): Fields {
  const normal: Fields = { ...fields };
  if (fields.ios) normal.ios = normalIos(fields.ios, faults);
  if (fields.android) normal.android = normalAndroid(fields.android, faults);
  if (fields.subtitle !== undefined) normal.subtitle = fields.subtitle?.trim() || null;
  if (fields.iconUrl) normal.iconUrl = storedUrl("iconUrl", fields.iconUrl, faults);
  return normal;
}

function normalIos(ios: IosApp, faults: string[]): IosApp {
  checkScheme("ios.scheme", ios.scheme, faults);
  if (ios.campaignName !== undefined && !CAMPAIGN.test(ios.campaignName)) {
    faults.push("ios.campaignName: expected letters, digits, punctuation that Apple allows, and no spaces at the ends");
  }
  return ios.appStoreId === undefined ? ios : { ...ios, appStoreId: ios.appStoreId.replace(/^id/, "") };
}

function normalAndroid(android: AndroidApp, faults: string[]): AndroidApp {
  checkScheme("android.scheme", android.scheme, faults);
  const fingerprints = android.sha256CertFingerprints?.map((fingerprint) => fingerprint.toUpperCase());
  return fingerprints ? { ...android, sha256CertFingerprints: [...new Set(fingerprints)] } : android;
}

function checkScheme(field: string, scheme: string | undefined, faults: string[]): void {
  if (scheme === undefined) return;
  if (!SCHEME.test(scheme)) faults.push(`${field}: expected a scheme of letters, digits, +, - and dots, without ://`);
  else if (FOREIGN_SCHEMES.has(scheme.toLowerCase())) faults.push(`${field}: an app cannot own this scheme`);
}
