/** Test messages for endpoints: one for each event, about records that do not exist. */
import { EXAMPLE_ID } from "@/contract/schema";
import type { WebhookEvent } from "@/contract/webhooks";
import { openData } from "./open-data";

const [SHORT_URL, DESTINATION] = ["https://go.example.com/spring", "https://shop.example.com/spring"];

/** `at` is in Unix milliseconds. */
export function sampleData(event: WebhookEvent, orgId: string, at: number): object {
  const now = new Date(at).toISOString();
  switch (event) {
    case "click":
      return sampleClick(orgId, now);
    case "link.created":
      return sampleLink(orgId, now);
    case "link.matched":
    case "link.opened":
      return sampleOpen();
    case "custom.event":
      return { _id: EXAMPLE_ID, name: "test", linkId: EXAMPLE_ID, value: 1, metadata: { test: true }, occurredAt: now };
    default:
      return event satisfies never;
  }
}

const sampleClick = (orgId: string, now: string) => ({
  _id: EXAMPLE_ID,
  occurredAt: now,
  orgId,
  linkId: EXAMPLE_ID,
  visitorId: "5f0c9e6d1b7a2384",
  platform: "ios",
  deviceType: "mobile",
  browser: "Mobile Safari",
  os: "iOS",
  osVersion: "18.4",
  country: "DE",
  city: "Berlin",
  language: "de",
  referrer: "news.example.com",
  utm: { source: "newsletter" },
  route: { kind: "default", ruleIndex: null, splitKey: null, destinationUrl: DESTINATION, ruleNumber: null },
  isBot: false,
  botReasons: [],
  spamScore: 0,
});

const sampleLink = (orgId: string, now: string) => ({
  _id: EXAMPLE_ID,
  orgId,
  domainId: EXAMPLE_ID,
  slug: "spring",
  shortUrl: SHORT_URL,
  title: "Spring sale",
  defaultUrl: DESTINATION,
  rules: [],
  splitTargets: [],
  retargetingPixels: [],
  tags: [],
  passwordProtected: false,
  isActive: true,
  isArchived: false,
  clickCount: 0,
  safety: { status: "unknown", reasons: [] },
  createdAt: now,
  updatedAt: now,
});

const sampleOpen = () =>
  openData({
    openId: EXAMPLE_ID,
    installId: EXAMPLE_ID,
    link: { id: EXAMPLE_ID, shortUrl: SHORT_URL, title: "Spring sale" },
    deepLinkPayload: { screen: "offer", offerId: 42 },
    destinationUrl: DESTINATION,
    source: "deferred",
    platform: "ios",
  });
