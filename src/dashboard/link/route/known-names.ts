/** The names that conditions suggest, and sample devices, as visits have them. */

export const DEVICE_TYPES = ["mobile", "tablet", "desktop", "console", "wearable", "smarttv", "embedded", "xr"];
export const BROWSERS = ["Mobile Safari", "Chrome", "Safari", "Firefox", "Edge", "Samsung Internet", "Opera"];
export const VENDORS = ["Apple", "Samsung", "Google", "Xiaomi", "Huawei", "OnePlus", "Motorola", "Oppo", "Vivo"];
export const COUNTRIES = [
  "DE",
  "AT",
  "CH",
  "US",
  "GB",
  "FR",
  "ES",
  "IT",
  "NL",
  "PL",
  "BR",
  "IN",
  "JP",
  "CA",
  "AU",
  "TR",
];
export const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ja", "zh", "ar", "ru", "hi"];

const APPLE = { platform: "ios", osVersion: "18.4", browser: "Mobile Safari", deviceVendor: "Apple" } as const;

export const SAMPLE_DEVICES = {
  iphone: { ...APPLE, deviceType: "mobile", deviceModel: "iPhone" },
  /** Chrome on Android reveals neither vendor nor model, and no exact version. */
  android: { platform: "android", osVersion: "10+", deviceType: "mobile", browser: "Chrome" },
  desktop: { platform: "desktop", osVersion: "10", deviceType: "desktop", browser: "Chrome" },
  ipad: { ...APPLE, deviceType: "tablet", deviceModel: "iPad" },
} as const;
