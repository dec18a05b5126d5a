/** Conditions on the request itself: its time, referrer, client address and query. */
import { type ConditionDraft, conditionCase, DEFAULT, MATCHED } from "./shape";

const tv = [{ name: "src", values: ["tv", "radio"] }];
const news = ["news.example.com"];

const drafts: ConditionDraft[] = [
  { name: "an instant is past at its own", when: { after: "2026-06-10T12:00:00Z" }, matches: true },
  { name: "an instant is not past a moment before", when: { after: "2026-06-10T12:00:00.001Z" }, matches: false },
  { name: "an instant in another zone", when: { after: "2026-06-10T14:00:00+02:00" }, matches: true },
  { name: "a date alone is its midnight in UTC", when: { after: "2026-06-10" }, matches: true },
  { name: "the end is not before itself", when: { before: "2026-06-10T12:00:00Z" }, matches: false },
  { name: "a moment before the end", when: { before: "2026-06-10T12:00:00.001Z" }, matches: true },
  { name: "between two dates", when: { after: "2026-06-01", before: "2026-07-01" }, matches: true },
  { name: "no page referred the visit", when: { referrers: ["direct"] }, matches: true },
  {
    name: "a page referred the visit",
    when: { referrers: ["direct"] },
    visitor: { referrer: "https://example.com/" },
    matches: false,
  },
  {
    name: "the referring host",
    when: { referrers: news },
    visitor: { referrer: "https://NEWS.example.com/a?b#c" },
    matches: true,
  },
  {
    name: "a subdomain of the referring host",
    when: { referrers: ["Example.com"] },
    visitor: { referrer: "https://news.example.com/" },
    matches: true,
  },
  {
    name: "a host that only ends like the referring one",
    when: { referrers: ["example.com"] },
    visitor: { referrer: "https://badexample.com/" },
    matches: false,
  },
  {
    name: "the app that referred the visit",
    when: { referrers: ["com.google.android.gm"] },
    visitor: { referrer: "android-app://com.google.android.gm/" },
    matches: true,
  },
  {
    name: "a page without a host is none",
    when: { referrers: ["direct"] },
    visitor: { referrer: "about:blank" },
    matches: true,
  },
  {
    name: "a page without a host has no host of its scheme's name",
    when: { referrers: ["about"] },
    visitor: { referrer: "about:blank" },
    matches: false,
  },
  { name: "a referring host for a direct visit", when: { referrers: news }, matches: false },
  {
    name: "an address within the network",
    when: { addresses: ["198.51.100.0/24", "203.0.113.0/24"] },
    visitor: { address: "203.0.113.255" },
    matches: true,
  },
  {
    name: "an address beside the network",
    when: { addresses: ["203.0.113.0/25"] },
    visitor: { address: "203.0.113.128" },
    matches: false,
  },
  {
    name: "the very address",
    when: { addresses: ["203.0.113.7"] },
    visitor: { address: "203.0.113.7" },
    matches: true,
  },
  {
    name: "an address of IPv6",
    when: { addresses: ["2001:db8::/33"] },
    visitor: { address: "2001:db8:7fff::1" },
    matches: true,
  },
  {
    name: "an address of IPv6 beside the network",
    when: { addresses: ["2001:db8::/33"] },
    visitor: { address: "2001:db8:8000::1" },
    matches: false,
  },
  {
    name: "no network of IPv6 holds an address of IPv4",
    when: { addresses: ["::/0"] },
    visitor: { address: "203.0.113.7" },
    matches: false,
  },
];

/** Cases with a query, which is passed on to the destination. */
const queryDrafts: ConditionDraft[] = [
  { name: "one of a parameter's values", when: { query: tv }, visitor: { query: "src=radio" }, matches: true },
  { name: "another value of the parameter", when: { query: tv }, visitor: { query: "src=print" }, matches: false },
  { name: "values are compared exactly", when: { query: tv }, visitor: { query: "src=TV" }, matches: false },
  { name: "names are compared exactly", when: { query: tv }, visitor: { query: "Src=tv" }, matches: false },
  {
    name: "one of several times the parameter",
    when: { query: tv },
    visitor: { query: "src=print&src=tv" },
    matches: true,
  },
  {
    name: "a parameter of any value",
    when: { query: [{ name: "src" }] },
    visitor: { query: "src=print" },
    matches: true,
  },
  { name: "a parameter without a value", when: { query: [{ name: "src" }] }, visitor: { query: "src" }, matches: true },
  { name: "no parameter", when: { query: [{ name: "src" }] }, visitor: { query: "other=src" }, matches: false },
  {
    name: "all parameters are there",
    when: { query: [...tv, { name: "gclid" }] },
    visitor: { query: "gclid=1&src=tv" },
    matches: true,
  },
  {
    name: "one parameter is missing",
    when: { query: [...tv, { name: "gclid" }] },
    visitor: { query: "src=tv" },
    matches: false,
  },
  {
    name: "escaped values are compared as they read",
    when: { query: [{ name: "a b", values: ["50% & more", "ß"] }] },
    visitor: { query: "a%20b=50%25%20%26%20more" },
    matches: true,
  },
];

export const requestCases = [
  ...drafts.map(conditionCase),
  ...queryDrafts.map((draft) => {
    const { expect, ...rest } = conditionCase(draft);
    return {
      ...rest,
      expect: { ...expect, destinationUrl: `${draft.matches ? MATCHED : DEFAULT}?${draft.visitor?.query}` },
    };
  }),
];
