/** Sample visitors in four places, each at the next occurrence of a local weekday and time. */
import { DAY_MS } from "@/core/time/time-range";
import { SAMPLE_DEVICES } from "./known-names";
import type { TextFact, Visitor } from "./visitor";
import { linkRouteWords as words } from "./words";

interface Preset {
  name: "iphoneBerlin" | "androidSaoPaulo" | "desktopNewYork" | "ipadTokyo";
  device: keyof typeof SAMPLE_DEVICES;
  timeZone: string;
  /** 0 is Sunday. */
  day: number;
  time: string;
  place: Partial<Record<TextFact, string>>;
}

const PRESETS: readonly Preset[] = [
  {
    ...{ name: "iphoneBerlin", device: "iphone", timeZone: "Europe/Berlin", day: 5, time: "23:10" },
    place: { country: "DE", region: "Berlin", city: "Berlin", language: "de-DE" },
  },
  {
    ...{ name: "androidSaoPaulo", device: "android", timeZone: "America/Sao_Paulo", day: 6, time: "14:00" },
    place: { country: "BR", region: "São Paulo", city: "São Paulo", language: "pt-BR" },
  },
  {
    ...{ name: "desktopNewYork", device: "desktop", timeZone: "America/New_York", day: 1, time: "09:00" },
    place: { country: "US", region: "New York", city: "New York", language: "en-US" },
  },
  {
    ...{ name: "ipadTokyo", device: "ipad", timeZone: "Asia/Tokyo", day: 0, time: "07:30" },
    place: { country: "JP", region: "Tokyo", city: "Tokyo", language: "ja-JP" },
  },
];

export const presetVisitors = (now: number) =>
  PRESETS.map(({ name, device, timeZone, day, time, place }) => {
    const visitor: Visitor = { ...SAMPLE_DEVICES[device], ...place, ...nextOf(day, time, timeZone, now) };
    return { name, label: words.route.presets[name], visitor };
  });

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
  return Math.floor(at / 60_000) - local / 60_000;
}
