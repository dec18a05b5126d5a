/** Apps: where phones without the app are sent, and what makes links open in the app on phones that have it. */
import { type Static, Type } from "@sinclair/typebox";
import { id, instant, list, nullable, oneOf, optional, pageOf, shape, text, withExample } from "./schema";

/** Limit of each organization. */
export const APPS_MAX = 100;

const APP_FALLBACKS = ["store", "web"] as const;

interface Form {
  pattern: string;
  example: string;
  /** The expected form, worded to follow the field's name. */
  error: string;
  description?: string;
  maxLength?: number;
}

const formed = ({ pattern, example, error, description, maxLength }: Form) =>
  Type.String({ pattern, maxLength, description, error, examples: [example] });

/** Schemes that cannot belong to an app are refused beyond the schema. */
const scheme = (description: string) => optional(withExample("acmeshop", text(64, 1, description)));

export const IosApp = shape(
  {
    teamId: optional(
      formed({
        pattern: "^[A-Z0-9]{10}$",
        example: "A1B2C3D4E5",
        error: "expected ten capital letters and digits, like A1B2C3D4E5",
        description:
          "The App ID's prefix, usually the team id. Together with `bundleId`, it makes links open in the app",
      }),
    ),
    bundleId: optional(
      formed({
        pattern: "^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$",
        maxLength: 155,
        example: "com.acme.shop",
        error: "expected a bundle id of letters, digits, - and dots, like com.acme.shop",
      }),
    ),
    appStoreId: optional(
      formed({
        pattern: "^(id)?[1-9][0-9]{0,18}$",
        example: "284882215",
        error: "expected the digits of the App Store id, like 284882215",
        description: "Store listing for phones without the app. `id284882215` is accepted too and stored without `id`",
      }),
    ),
    scheme: scheme("Opens the app from inside other apps' browsers"),
    providerToken: optional(
      formed({
        pattern: "^[0-9]{1,20}$",
        example: "123456",
        error: "expected digits",
        description: "`pt` of App Store campaign links",
      }),
    ),
    campaignName: optional(
      withExample(
        "spring sale",
        text(
          30,
          1,
          "`ct` of App Store campaign links. If omitted, each visit uses its own match token, which Apple shows only in " +
            "total",
        ),
      ),
    ),
  },
  { $id: "IosApp" },
);
export type IosApp = Static<typeof IosApp>;

const FINGERPRINT = Array.from({ length: 32 }, () => "A1").join(":");

export const AndroidApp = shape(
  {
    packageName: optional(
      formed({
        pattern: "^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$",
        maxLength: 223,
        example: "com.acme.shop",
        error: "expected a package name of letters, digits, _ and dots, like com.acme.shop",
        description: "Store listing for phones without the app",
      }),
    ),
    sha256CertFingerprints: optional(
      list(
        formed({
          pattern: "^([A-Fa-f0-9]{2}:){31}[A-Fa-f0-9]{2}$",
          example: FINGERPRINT,
          error: "expected 32 hexadecimal bytes separated by colons",
        }),
        10,
        "Fingerprints of the certificates that sign the app, as shown by Play and `keytool`; stored in capitals. Together " +
          "with `packageName`, they make links open in the app",
      ),
    ),
    scheme: scheme("Opens the app from inside other apps' browsers; Android schemes are case-sensitive"),
  },
  { $id: "AndroidApp", examples: [{ packageName: "com.acme.shop", sha256CertFingerprints: [FINGERPRINT] }] },
);
export type AndroidApp = Static<typeof AndroidApp>;

const fallback = oneOf(
  APP_FALLBACKS,
  "Where phones without the app go: the app's store, or the link's web destination. Defaults to `store`",
);
const iconUrl = withExample("https://acme.com/icon.png", text(2048, 1, "An absolute http(s) URL of an image"));

const SUBTITLE_EXAMPLE = "Order ahead, skip the queue";
const subtitle = withExample(
  SUBTITLE_EXAMPLE,
  text(80, 0, "A line below the app's name on the pages that lead to the store or the app"),
);

/** Fields that a domain's `appConfig` and an app profile share. */
const targetFields = {
  ios: optional(nullable(IosApp)),
  android: optional(nullable(AndroidApp)),
  fallback: optional(nullable(fallback)),
  iconUrl: optional(nullable(iconUrl)),
  subtitle: optional(nullable(subtitle)),
};

const name = withExample("Acme Shop", text(120, 1));
const pathPrefix = optional(
  nullable(
    withExample(
      "shop",
      text(
        255,
        0,
        "Links below this path use the app without naming it. If omitted or empty, this applies to all links on the " +
          "organization's domains",
      ),
    ),
  ),
);

export const AppProfileInput = shape({ name, pathPrefix, ...targetFields }, { $id: "AppProfileInput" });
export type AppProfileInput = Static<typeof AppProfileInput>;

export const AppProfileUpdate = shape(
  { name: optional(name), pathPrefix, ...targetFields },
  { $id: "AppProfileUpdate" },
);
export type AppProfileUpdate = Static<typeof AppProfileUpdate>;

export const AppProfile = shape(
  {
    _id: id(),
    name: withExample("Acme Shop", Type.String()),
    pathPrefix: optional(withExample("shop", Type.String())),
    ios: optional(IosApp),
    android: optional(AndroidApp),
    fallback: withExample("store", fallback),
    iconUrl: optional(withExample("https://acme.com/icon.png", Type.String())),
    subtitle: optional(withExample(SUBTITLE_EXAMPLE, Type.String())),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { $id: "AppProfile", tagged: true },
);
export type AppProfile = Static<typeof AppProfile>;

export const AppProfilePage = pageOf("apps", AppProfile);

const configName = withExample("Acme Shop", text(120, 0, "Defaults to the organization's name"));

export const AppConfigInput = shape(
  { name: optional(nullable(configName)), ...targetFields },
  { $id: "AppConfigInput" },
);
export type AppConfigInput = Static<typeof AppConfigInput>;

/** The stored and returned form: fields that are not set are omitted. */
export const AppConfig = shape(
  {
    name: optional(withExample("Acme Shop", Type.String())),
    ios: optional(IosApp),
    android: optional(AndroidApp),
    fallback: optional(withExample("store", fallback)),
    iconUrl: optional(withExample("https://acme.com/icon.png", Type.String())),
    subtitle: optional(withExample(SUBTITLE_EXAMPLE, Type.String())),
  },
  { $id: "AppConfig" },
);
export type AppConfig = Static<typeof AppConfig>;
