/** An app as form fields, and the request body that they result in. */
import type { Schemas } from "../api/client";
import type { Profile } from "./queries";
import { appsWords as words } from "./words";

const IOS = ["teamId", "bundleId", "appStoreId", "scheme", "providerToken", "campaignName"] as const;

export interface AppDraft {
  name: string;
  subtitle: string;
  pathPrefix: string;
  fallback: Profile["fallback"];
  iconUrl: string;
  ios: Record<(typeof IOS)[number], string>;
  packageName: string;
  /** One per line. */
  fingerprints: string;
  androidScheme: string;
}

export const appDraft = (app?: Profile): AppDraft => {
  const { name = "", subtitle = "", pathPrefix = "", fallback = "store", iconUrl = "", ios, android } = app ?? {};
  const iosValue = (field: (typeof IOS)[number]) => ios?.[field] ?? "";
  return {
    ...{ name, subtitle, pathPrefix, fallback, iconUrl },
    ios: {
      teamId: iosValue("teamId"),
      bundleId: iosValue("bundleId"),
      appStoreId: iosValue("appStoreId"),
      scheme: iosValue("scheme"),
      providerToken: iosValue("providerToken"),
      campaignName: iosValue("campaignName"),
    },
    packageName: android?.packageName ?? "",
    fingerprints: android?.sha256CertFingerprints?.join("\n") ?? "",
    androidScheme: android?.scheme ?? "",
  };
};

/** An empty field removes its value. */
export function appBody(draft: AppDraft) {
  const { name, subtitle, pathPrefix, fallback, iconUrl } = draft;
  return {
    name: name.trim(),
    subtitle: subtitle.trim() || null,
    pathPrefix: pathPrefix.trim() || null,
    fallback,
    iconUrl: iconUrl.trim() || null,
    ios: iosOf(draft),
    android: androidOf(draft),
  } satisfies Schemas["AppProfileInput"];
}

/** Returns only what differs. `ios` and `android` are replaced as a whole. */
export function appChanges(saved: AppDraft, draft: AppDraft): Schemas["AppProfileUpdate"] {
  const was: Record<string, unknown> = appBody(saved);
  return Object.fromEntries(
    Object.entries(appBody(draft)).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(was[field])),
  );
}

function iosOf({ ios }: AppDraft): Schemas["IosApp"] | null {
  const app: Schemas["IosApp"] = {};
  for (const field of IOS) if (ios[field].trim()) app[field] = ios[field].trim();
  return Object.keys(app).length > 0 ? app : null;
}

/** In upper case, as the service stores them. */
const linesOf = (text: string): string[] => text.split("\n").map((line) => line.trim().toUpperCase());

function androidOf({ packageName, fingerprints, androidScheme }: AppDraft): Schemas["AndroidApp"] | null {
  const app: Schemas["AndroidApp"] = {};
  const prints = linesOf(fingerprints).filter(Boolean);
  if (packageName.trim()) app.packageName = packageName.trim();
  if (prints.length > 0) app.sha256CertFingerprints = prints;
  if (androidScheme.trim()) app.scheme = androidScheme.trim();
  return Object.keys(app).length > 0 ? app : null;
}

type Faults = Record<string, string>;

const PRINTS = "android.sha256CertFingerprints";

/** Paths of the fields that show the API's error messages. */
export const shownFaults = (faults: Faults): string[] => [
  ...["name", "subtitle", "pathPrefix", "fallback", "iconUrl", "android.packageName", "android.scheme"],
  ...IOS.map((field) => `ios.${field}`),
  ...Object.keys(faults).filter((field) => field.startsWith(PRINTS)),
];

/** Returns the first fault of the fingerprints, with the number of its line. Empty lines are not sent. */
export function fingerprintFault(faults: Faults, text: string): string | undefined {
  const sent = linesOf(text).flatMap((line, place) => (line ? [place + 1] : []));
  const wrong = sent.findIndex((_, index) => faults[`${PRINTS}.${index}`]);
  if (wrong < 0) return faults[PRINTS];
  return words.apps.lineFault(sent[wrong] ?? 1, faults[`${PRINTS}.${wrong}`] ?? "");
}
