import { describe } from "bun:test";
import { Type } from "@sinclair/typebox";
import { addApp } from "@test/support/accounts/tenants";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { LinkPreviewInput } from "@/contract/links/link-preview";
import { LinkInput, LinkUpdate } from "@/contract/links/links";
import { TrafficPreviewInput } from "@/contract/links/traffic-preview";

const service = await startTestService();
const ada = await service.register();
const links = `/api/v1/organizations/${ada.orgId}/links`;
const { token } = ada;
const target = await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "target" });

const [shared] = await service.sql`select id from domains where org_id is null`;
const complete = {
  defaultUrl: "https://example.com/",
  domainId: String(shared?.id),
  appProfileId: await addApp(service, ada.orgId, {}),
  title: "Title",
  slug: undefined,
  pathPrefix: "offers",
  rules: [
    {
      priority: 1,
      destinationUrl: "https://example.com/rule",
      conditions: {
        platform: ["ios"],
        deviceTypes: ["mobile"],
        browsers: ["Safari"],
        deviceVendors: ["Apple"],
        deviceModels: ["iPhone"],
        countries: ["DE"],
        regions: ["Bavaria"],
        cities: ["Munich"],
        languages: ["de"],
        minOsVersion: "17",
        maxOsVersion: "18",
        startTime: "09:00",
        endTime: "17:00",
        daysOfWeek: [1],
        after: "2026-05-01",
        before: "2026-06-01T00:00:00Z",
        query: [{ name: "src", values: ["tv"] }],
        referrers: ["news.example.com"],
        addresses: ["203.0.113.0/24"],
      },
    },
  ],
  splitTargets: [{ key: "a", label: "A", destinationUrl: "https://example.com/a", weight: 1, isActive: true }],
  deepLinkPayload: { screen: "home" },
  utm: { source: "a", medium: "b", campaign: "c", term: "d", content: "e" },
  marketing: { referralCode: "a", affiliateId: "b", couponCode: "c", promoCode: "d", appendToDestination: true },
  leadCapture: { enabled: false, title: "Sign up", fields: [{ name: "email", label: "Email" }], consentText: "Yes" },
  retargetingPixels: [{ provider: "meta", id: "1" }],
  ctaOverlay: { enabled: false, message: "Look", buttonUrl: "https://example.com/cta" },
  social: { title: "Sale", description: "All of it", imageUrl: "https://example.com/sale.png" },
  startsAt: "2030-01-01T00:00:00Z",
  expiresAt: "2031-01-01T00:00:00Z",
  maxClicks: 10,
  tags: ["spring"],
  isActive: true,
  externalId: undefined,
  notes: "Notes",
  isArchived: false,
};

const echoed = [
  "title",
  "notes",
  "utm.source",
  "utm.content",
  "marketing.referralCode",
  "rules[0].conditions.cities[0]",
  "leadCapture.title",
  "leadCapture.fields[0].label",
  "ctaOverlay.message",
  "social.title",
  "social.description",
];

describe("POST links", () => {
  testHostileBodies(service, {
    method: "POST",
    path: links,
    schema: LinkInput,
    valid: complete,
    credentials: { token },
    echoed,
  });
});

describe("POST links with an API key", async () => {
  const apiKey = await service.createApiKey(ada, ["links:write"]);
  testHostileBodies(service, {
    method: "POST",
    path: "/api/v1/links",
    schema: LinkInput,
    valid: complete,
    credentials: { apiKey },
  });
});

describe("PUT links by an external id", () => {
  testHostileBodies(service, {
    method: "PUT",
    path: `${links}/by-external-id/own`,
    schema: LinkInput,
    valid: complete,
    credentials: { token },
  });
});

describe("PATCH links", () => {
  testHostileBodies(service, {
    method: "PATCH",
    path: `${links}/${target._id}`,
    schema: LinkUpdate,
    valid: complete,
    credentials: { token },
    echoed,
  });
});

describe("POST links/preview", () => {
  testHostileBodies(service, {
    method: "POST",
    path: `${links}/preview`,
    // `link` has the fields of a creation, which are tested above.
    schema: Type.Omit(LinkPreviewInput, ["link"]),
    valid: {
      shortUrl: target.shortUrl,
      domain: service.host,
      slug: "target",
      pathPrefix: "",
      platform: "ios",
      deviceType: "mobile",
      browser: "Safari",
      deviceVendor: "Apple",
      deviceModel: "iPhone",
      osVersion: "17",
      language: "de",
      country: "DE",
      region: "Bavaria",
      city: "Munich",
      password: "a",
      visitorId: "a",
      randomizeVisitor: false,
      now: "2030-01-01T00:00:00Z",
      timezoneOffsetMinutes: -60,
      query: "src=tv",
      referrer: "direct",
      address: "192.0.2.1",
      contexts: [{ country: "DE" }],
    },
    credentials: { token },
  });
});

describe("POST links/:linkId/preview/traffic", () => {
  testHostileBodies(service, {
    method: "POST",
    path: `${links}/${target._id}/preview/traffic`,
    // `link` has the fields of a change, which are tested above.
    schema: Type.Omit(TrafficPreviewInput, ["link"]),
    valid: { days: 7 },
    credentials: { token },
  });
});
