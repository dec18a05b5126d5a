/** Local time in zones other than UTC, across midnight and at daylight saving changes. */
import { type ConditionDraft, conditionCase } from "./shape";

/** `timezoneOffsetMinutes` is what `Date.getTimezoneOffset()` returns in the zone at `now`. */
const inZone = (timeZone: string, now: string, timezoneOffsetMinutes: number) => ({
  timeZone,
  now,
  timezoneOffsetMinutes,
});
const hour = (startTime: string, endTime: string) => ({ startTime, endTime });
const [SUNDAY, TUESDAY, WEDNESDAY, THURSDAY] = [0, 2, 3, 4];

const drafts: ConditionDraft[] = [
  {
    name: "a browser's offset east of UTC is negative",
    when: hour("14:00", "14:01"),
    visitor: { now: "2026-06-10T12:00:00.000Z", timezoneOffsetMinutes: -120 },
    matches: true,
  },
  {
    name: "a browser's offset west of UTC is positive",
    when: hour("08:00", "08:01"),
    visitor: { now: "2026-06-10T12:00:00.000Z", timezoneOffsetMinutes: 240 },
    matches: true,
  },
  {
    name: "an offset moves the day ahead",
    when: { daysOfWeek: [THURSDAY] },
    visitor: { now: "2026-06-10T23:00:00.000Z", timezoneOffsetMinutes: -120 },
    matches: true,
  },
  {
    name: "an offset moves the day back",
    when: { daysOfWeek: [TUESDAY] },
    visitor: { now: "2026-06-10T01:00:00.000Z", timezoneOffsetMinutes: 300 },
    matches: true,
  },
  {
    name: "Kiritimati is a day ahead",
    when: { daysOfWeek: [THURSDAY] },
    visitor: inZone("Pacific/Kiritimati", "2026-06-10T10:00:00.000Z", -840),
    matches: true,
  },
  {
    name: "Pago Pago is a day behind",
    when: { daysOfWeek: [TUESDAY] },
    visitor: inZone("Pacific/Pago_Pago", "2026-06-10T10:59:00.000Z", 660),
    matches: true,
  },
  {
    name: "India is half an hour off",
    when: hour("17:30", "17:31"),
    visitor: inZone("Asia/Kolkata", "2026-06-10T12:00:00.000Z", -330),
    matches: true,
  },
  {
    name: "Nepal is a quarter of an hour off",
    when: hour("17:45", "17:46"),
    visitor: inZone("Asia/Kathmandu", "2026-06-10T12:00:00.000Z", -345),
    matches: true,
  },
  {
    name: "Newfoundland is half an hour off to the west",
    when: hour("09:30", "09:31"),
    visitor: inZone("America/St_Johns", "2026-06-10T12:00:00.000Z", 150),
    matches: true,
  },
  {
    name: "an unknown zone is UTC",
    when: hour("12:00", "12:01"),
    visitor: { timeZone: "Atlantis/Capital", now: "2026-06-10T12:00:00.000Z" },
    matches: true,
  },
  {
    name: "Berlin in winter is an hour ahead",
    when: hour("13:00", "13:01"),
    visitor: inZone("Europe/Berlin", "2026-01-14T12:00:00.000Z", -60),
    matches: true,
  },
  {
    name: "Berlin in summer is two hours ahead",
    when: hour("14:00", "14:01"),
    visitor: inZone("Europe/Berlin", "2026-06-10T12:00:00.000Z", -120),
    matches: true,
  },
  {
    name: "Berlin's last minute of winter time",
    when: hour("01:59", "02:00"),
    visitor: inZone("Europe/Berlin", "2026-03-29T00:59:00.000Z", -60),
    matches: true,
  },
  {
    name: "Berlin skips an hour in March",
    when: hour("02:00", "03:00"),
    visitor: inZone("Europe/Berlin", "2026-03-29T01:00:00.000Z", -120),
    matches: false,
  },
  {
    name: "Berlin goes on at three in March",
    when: hour("03:00", "03:01"),
    visitor: inZone("Europe/Berlin", "2026-03-29T01:00:00.000Z", -120),
    matches: true,
  },
  {
    name: "Berlin has half past two in October",
    when: hour("02:30", "02:31"),
    visitor: inZone("Europe/Berlin", "2026-10-25T00:30:00.000Z", -120),
    matches: true,
  },
  {
    name: "Berlin has half past two again in October",
    when: hour("02:30", "02:31"),
    visitor: inZone("Europe/Berlin", "2026-10-25T01:30:00.000Z", -60),
    matches: true,
  },
  {
    name: "New York's last minute of winter time",
    when: hour("01:59", "02:00"),
    visitor: inZone("America/New_York", "2026-03-08T06:59:00.000Z", 300),
    matches: true,
  },
  {
    name: "New York skips an hour in March",
    when: hour("02:00", "03:00"),
    visitor: inZone("America/New_York", "2026-03-08T07:00:00.000Z", 240),
    matches: false,
  },
  {
    name: "New York goes on at three in March",
    when: { ...hour("03:00", "03:01"), daysOfWeek: [SUNDAY] },
    visitor: inZone("America/New_York", "2026-03-08T07:00:00.000Z", 240),
    matches: true,
  },
  {
    name: "New York has half past one in November",
    when: hour("01:30", "01:31"),
    visitor: inZone("America/New_York", "2026-11-01T05:30:00.000Z", 240),
    matches: true,
  },
  {
    name: "New York has half past one again in November",
    when: hour("01:30", "01:31"),
    visitor: inZone("America/New_York", "2026-11-01T06:30:00.000Z", 300),
    matches: true,
  },
  {
    name: "Lord Howe's last minute of summer time",
    when: hour("01:59", "02:00"),
    visitor: inZone("Australia/Lord_Howe", "2026-04-04T14:59:00.000Z", -660),
    matches: true,
  },
  {
    name: "Lord Howe goes back half an hour in April",
    when: { ...hour("01:30", "01:31"), daysOfWeek: [SUNDAY] },
    visitor: inZone("Australia/Lord_Howe", "2026-04-04T15:00:00.000Z", -630),
    matches: true,
  },
  {
    name: "Lord Howe skips half an hour in October",
    when: hour("02:00", "02:30"),
    visitor: inZone("Australia/Lord_Howe", "2026-10-03T15:30:00.000Z", -660),
    matches: false,
  },
  {
    name: "Lord Howe goes on at half past two in October",
    when: hour("02:30", "02:31"),
    visitor: inZone("Australia/Lord_Howe", "2026-10-03T15:30:00.000Z", -660),
    matches: true,
  },
  {
    name: "a night that began on Wednesday in New York is Wednesday's, though it is Thursday in UTC",
    when: { ...hour("22:00", "06:00"), daysOfWeek: [WEDNESDAY] },
    visitor: inZone("America/New_York", "2026-06-11T09:00:00.000Z", 240),
    matches: true,
  },
];

export const zoneCases = drafts.map(conditionCase);
