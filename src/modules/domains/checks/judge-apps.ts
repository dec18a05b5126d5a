/** Judges whether the organization's apps are described well enough for phones to open links in them. */
import type { AndroidApp, AppConfig, IosApp } from "@/contract/apps";
import type { JudgedFile } from "../association-files";

export type DescribedApp = Pick<AppConfig, "name" | "ios" | "android" | "fallback">;

interface Lack {
  field: string;
  /** The consequence. */
  so: string;
}

const SCHEME_SAYS = "inside other apps' browsers, visitors need one more tap";
const STORE_SAYS = "phones without the app go to the web";

export function judgeApps(apps: readonly DescribedApp[]): JudgedFile {
  const described = apps.filter(({ ios, android }) => ios || android);
  if (described.length === 0) {
    return {
      status: "warning",
      found: "No app is described",
      advice: "If you have an app, add an app profile with `ios` and `android`; otherwise, ignore this line.",
    };
  }
  const judged = described.map((app) => ({ name: app.name ?? "The domain's app", lacks: lacksOf(app) }));
  const incomplete = judged.filter(({ lacks }) => lacks.length > 0);
  if (incomplete.length === 0) return { status: "ok", found: `Complete: ${judged.map(({ name }) => name).join(", ")}` };
  const all = incomplete.flatMap(({ lacks }) => lacks);
  const reasons = new Map(all.map(({ field, so }) => [field, so]));
  return {
    status: "warning",
    found: incomplete
      .map(({ name, lacks }) => `${name} lacks ${lacks.map(({ field }) => field).join(", ")}`)
      .join("; "),
    advice: `Complete the app profile. ${[...reasons].map(([field, so]) => `Without ${field}, ${so}.`).join(" ")}`,
  };
}

const lacksOf = ({ ios, android, fallback }: DescribedApp): Lack[] => [
  ...(ios ? iosLacks(ios, fallback !== "web") : []),
  ...(android ? androidLacks(android) : []),
];

const iosLacks = ({ teamId, bundleId, appStoreId, scheme }: IosApp, goesToStore: boolean): Lack[] => [
  ...(teamId && bundleId ? [] : [{ field: "ios.teamId and ios.bundleId", so: "iPhones open links in the browser" }]),
  ...(appStoreId || !goesToStore ? [] : [{ field: "ios.appStoreId", so: STORE_SAYS }]),
  ...(scheme ? [] : [{ field: "ios.scheme", so: SCHEME_SAYS }]),
];

const androidLacks = ({ packageName, sha256CertFingerprints }: AndroidApp): Lack[] => [
  ...(packageName
    ? []
    : [{ field: "android.packageName", so: "Android opens links in the browser and cannot offer the store" }]),
  ...(sha256CertFingerprints?.length
    ? []
    : [{ field: "android.sha256CertFingerprints", so: "Android opens links in the browser" }]),
];
