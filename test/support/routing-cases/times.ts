/** Conditions on the visitor's local time, here in UTC. 10 June 2026 is a Wednesday. */
import { type ConditionDraft, conditionCase } from "./shape";

const at = (time: string, day = "2026-06-10") => ({ now: `${day}T${time}:00.000Z` });
const [SUNDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY] = [0, 3, 4, 5, 6];
const [FRIDAY_DATE, SATURDAY_DATE, SUNDAY_DATE] = ["2026-06-12", "2026-06-13", "2026-06-14"];
const office = { startTime: "09:00", endTime: "17:00" };
const night = { startTime: "22:00", endTime: "06:00" };

const drafts: ConditionDraft[] = [
  { name: "within office hours", when: office, visitor: at("12:00"), matches: true },
  { name: "the start belongs to the window", when: office, visitor: at("09:00"), matches: true },
  { name: "the minute before the start does not", when: office, visitor: at("08:59"), matches: false },
  {
    name: "the last minute belongs to the window",
    when: office,
    visitor: { now: "2026-06-10T16:59:59.999Z" },
    matches: true,
  },
  { name: "the end does not belong to the window", when: office, visitor: at("17:00"), matches: false },
  { name: "a window over midnight holds the evening", when: night, visitor: at("23:30"), matches: true },
  { name: "a window over midnight holds midnight", when: night, visitor: at("00:00"), matches: true },
  { name: "a window over midnight holds the early morning", when: night, visitor: at("05:59"), matches: true },
  { name: "a window over midnight ends before its end", when: night, visitor: at("06:00"), matches: false },
  { name: "a window over midnight leaves out noon", when: night, visitor: at("12:00"), matches: false },
  { name: "a window over midnight begins at its start", when: night, visitor: at("22:00"), matches: true },
  { name: "the minute before it begins is outside", when: night, visitor: at("21:59"), matches: false },
  { name: "a start alone runs until midnight", when: { startTime: "18:00" }, visitor: at("23:59"), matches: true },
  { name: "a start alone ends at midnight", when: { startTime: "18:00" }, visitor: at("00:00"), matches: false },
  { name: "an end alone runs from midnight", when: { endTime: "06:00" }, visitor: at("00:00"), matches: true },
  { name: "an end alone ends before itself", when: { endTime: "06:00" }, visitor: at("06:00"), matches: false },
  {
    name: "a start that is the end is the whole day",
    when: { startTime: "09:00", endTime: "09:00" },
    visitor: at("03:00"),
    matches: true,
  },
  {
    name: "an end at 00:00 is midnight at night",
    when: { startTime: "20:00", endTime: "00:00" },
    visitor: at("23:59"),
    matches: true,
  },
  {
    name: "an end at 00:00 leaves out midnight itself",
    when: { startTime: "20:00", endTime: "00:00" },
    visitor: at("00:00"),
    matches: false,
  },
  { name: "Wednesday is day 3", when: { daysOfWeek: [WEDNESDAY] }, visitor: at("12:00"), matches: true },
  { name: "Wednesday is not day 4", when: { daysOfWeek: [THURSDAY] }, visitor: at("12:00"), matches: false },
  { name: "Sunday is day 0", when: { daysOfWeek: [SUNDAY] }, visitor: at("00:00", SUNDAY_DATE), matches: true },
  {
    name: "Saturday night is still Saturday",
    when: { daysOfWeek: [SATURDAY] },
    visitor: at("23:59", SATURDAY_DATE),
    matches: true,
  },
  {
    name: "a weekend holds both its days",
    when: { daysOfWeek: [SATURDAY, SUNDAY] },
    visitor: at("10:00", SATURDAY_DATE),
    matches: true,
  },
  {
    name: "office hours on the right day",
    when: { ...office, daysOfWeek: [WEDNESDAY] },
    visitor: at("10:00"),
    matches: true,
  },
  {
    name: "office hours on another day",
    when: { ...office, daysOfWeek: [FRIDAY] },
    visitor: at("10:00"),
    matches: false,
  },
  {
    name: "Friday night begins on Friday evening",
    when: { ...night, daysOfWeek: [FRIDAY] },
    visitor: at("23:00", FRIDAY_DATE),
    matches: true,
  },
  {
    name: "Friday night goes on into Saturday morning",
    when: { ...night, daysOfWeek: [FRIDAY] },
    visitor: at("03:00", SATURDAY_DATE),
    matches: true,
  },
  {
    name: "Friday morning is still Thursday night",
    when: { ...night, daysOfWeek: [FRIDAY] },
    visitor: at("03:00", FRIDAY_DATE),
    matches: false,
  },
  {
    name: "Saturday evening is not Friday night",
    when: { ...night, daysOfWeek: [FRIDAY] },
    visitor: at("23:00", SATURDAY_DATE),
    matches: false,
  },
  {
    name: "Saturday night goes on into Sunday morning",
    when: { ...night, daysOfWeek: [SATURDAY] },
    visitor: at("01:00", SUNDAY_DATE),
    matches: true,
  },
  {
    name: "an end alone belongs to its own day",
    when: { endTime: "06:00", daysOfWeek: [FRIDAY] },
    visitor: at("03:00", FRIDAY_DATE),
    matches: true,
  },
  {
    name: "time counts beside the platform",
    when: { ...office, platform: ["ios"] },
    visitor: { ...at("10:00"), agent: "iphoneSafari" },
    matches: true,
  },
  {
    name: "the right time does not make up for the platform",
    when: { ...office, platform: ["ios"] },
    visitor: { ...at("10:00"), agent: "pixel8" },
    matches: false,
  },
];

export const timeCases = drafts.map(conditionCase);
