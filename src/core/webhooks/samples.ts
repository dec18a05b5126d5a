/** Test messages for endpoints: one for each event, about records that do not exist. */
import type { WebhookEvent } from "@/contract/webhooks";
import { openData } from "./open-data";

const ID = "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e";
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
      return { _id: ID, name: "test", linkId: ID, value: 1, metadata: { test: true }, occurredAt: now };
    default:
      return event satisfies never;
  }
}

const sampleClick = (orgId: string, now: string) => ({
  _id: ID,
  occurredAt: now,
  orgId,
  linkId: ID,
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
  route: { kind: "default", ruleIndex: null, splitKey: null, destinationUrl: DESTINATION },
  isBot: false,
  botReasons: [],
  spamScore: 0,
});

const sampleLink = (orgId: string, now: string) => ({
  _id: ID,
  orgId,
  domainId: ID,
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
    openId: ID,
    installId: ID,
    link: { id: ID, shortUrl: SHORT_URL, title: "Spring sale" },
    deepLinkPayload: { screen: "offer", offerId: 42 },
    destinationUrl: DESTINATION,
    source: "deferred",
    platform: "ios",
  });
