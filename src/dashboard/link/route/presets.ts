/** Sample visitors in four places, each at the next occurrence of a local weekday and time. */
import { words } from "@/dashboard/words";
import type { Platform, TextFact, Visitor } from "./visitor";

interface Preset {
  name: "iphoneBerlin" | "androidSaoPaulo" | "desktopNewYork" | "ipadTokyo";
  timeZone: string;
  /** 0 is Sunday. */
  day: number;
  time: string;
  platform: Platform;
  facts: Partial<Record<TextFact, string>>;
}

const PRESETS: readonly Preset[] = [
  {
    ...{ name: "iphoneBerlin", timeZone: "Europe/Berlin", day: 5, time: "23:10", platform: "ios" },
    facts: {
      ...{
        osVersion: "18.4",
        deviceType: "mobile",
        browser: "Mobile Safari",
        deviceVendor: "Apple",
        deviceModel: "iPhone",
      },
      ...{ country: "DE", region: "Berlin", city: "Berlin", language: "de-DE" },
    },
  },
  {
    ...{ name: "androidSaoPaulo", timeZone: "America/Sao_Paulo", day: 6, time: "14:00", platform: "android" },
    facts: {
      ...{ osVersion: "15", deviceType: "mobile", browser: "Mobile Chrome", deviceVendor: "Samsung" },
      ...{ country: "BR", region: "São Paulo", city: "São Paulo", language: "pt-BR" },
    },
  },
  {
    ...{ name: "desktopNewYork", timeZone: "America/New_York", day: 1, time: "09:00", platform: "desktop" },
    facts: {
      ...{ osVersion: "10", deviceType: "desktop", browser: "Chrome" },
      ...{ country: "US", region: "New York", city: "New York", language: "en-US" },
    },
  },
  {
    ...{ name: "ipadTokyo", timeZone: "Asia/Tokyo", day: 0, time: "07:30", platform: "ios" },
    facts: {
      ...{
        osVersion: "18.4",
        deviceType: "tablet",
        browser: "Mobile Safari",
        deviceVendor: "Apple",
        deviceModel: "iPad",
      },
      ...{ country: "JP", region: "Tokyo", city: "Tokyo", language: "ja-JP" },
    },
  },
];

export const presetVisitors = (now: number) =>
  PRESETS.map(({ name, timeZone, day, time, platform, facts }) => ({
    name,
    label: words.route.presets[name],
    visitor: { ...facts, platform, ...nextOf(day, time, timeZone, now) } satisfies Visitor,
  }));

const DAY_MS = 86_400_000;

/** Returns the next such weekday and time in a time zone. */
function nextOf(day: number, time: string, timeZone: string, now: number): Pick<Visitor, "local" | "offsetMinutes"> {
  const offsetMinutes = offsetOf(timeZone, now);
  const here = now - offsetMinutes * 60_000;
  const ahead = (day - new Date(here).getUTCDay() + 7) % 7;
  return { local: `${new Date(here + ahead * DAY_MS).toISOString().slice(0, 10)}T${time}`, offsetMinutes };
}

function offsetOf(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en-CA", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit" },
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  const local = Date.parse(`${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}Z`);
  return Math.round((at - local) / 60_000);
}
