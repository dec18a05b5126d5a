import type { LinkInput } from "@/contract/links/links";

const DAY_MS = 86_400_000;
const SITE = "https://outdoor.example.com";

/** Returns a dozen links of all kinds. Slugs include the start time, so the demo can run again on the same data. */
export function demoLinks(now: Date): LinkInput[] {
  const run = now.getTime().toString(36).slice(-4);
  const slug = (name: string) => `${name}-${run}`;
  return [
    {
      slug: slug("app"),
      title: "The app: store by platform, web for the rest",
      defaultUrl: `${SITE}/app`,
      rules: [
        { destinationUrl: "https://apps.apple.com/app/id123456789", conditions: { platform: ["ios"] } },
        {
          destinationUrl: "https://play.google.com/store/apps/details?id=com.example.outdoor",
          conditions: { platform: ["android"] },
        },
      ],
      deepLinkPayload: { screen: "home" },
    },
    {
      slug: slug("spring"),
      title: "Spring sale: by country and language, then an even split",
      defaultUrl: `${SITE}/spring`,
      rules: [
        { priority: 1, destinationUrl: `${SITE}/de/spring`, conditions: { languages: ["de"] } },
        { priority: 2, destinationUrl: `${SITE}/jp/spring`, conditions: { countries: ["JP"] } },
      ],
      splitTargets: [
        { key: "hero", label: "Hero image", destinationUrl: `${SITE}/spring?v=hero`, weight: 1 },
        { key: "video", label: "Video", destinationUrl: `${SITE}/spring?v=video`, weight: 1 },
      ],
      utm: { source: "newsletter", medium: "email", campaign: "spring" },
      tags: ["sale", "spring"],
    },
    {
      slug: slug("partner"),
      title: "Partner: coupon and referral codes on the destination",
      defaultUrl: `${SITE}/boots`,
      marketing: { referralCode: "ANNA", couponCode: "BOOTS10", appendToDestination: true },
    },
    {
      slug: slug("hours"),
      title: "Office hours: phone line by day, form by night",
      defaultUrl: `${SITE}/contact-form`,
      rules: [
        {
          destinationUrl: `${SITE}/call-us`,
          conditions: { startTime: "09:00", endTime: "17:00", daysOfWeek: [1, 2, 3, 4, 5] },
        },
      ],
    },
    {
      slug: slug("old-phones"),
      title: "Old phones: a light page below iOS 15",
      defaultUrl: `${SITE}/tour`,
      rules: [{ destinationUrl: `${SITE}/tour-light`, conditions: { platform: ["ios"], maxOsVersion: "14.99" } }],
    },
    {
      slug: slug("tv"),
      title: "Big screens: consoles and televisions",
      defaultUrl: `${SITE}/watch`,
      rules: [{ destinationUrl: `${SITE}/watch/tv`, conditions: { deviceTypes: ["smarttv", "console"] } }],
    },
    {
      slug: slug("weighted"),
      title: "Weighted split: nine to one",
      defaultUrl: `${SITE}/checkout`,
      splitTargets: [
        { key: "old", destinationUrl: `${SITE}/checkout`, weight: 9 },
        { key: "new", destinationUrl: `${SITE}/checkout-2`, weight: 1 },
      ],
    },
    { slug: slug("tent"), pathPrefix: "shop/tents", title: "With a path prefix", defaultUrl: `${SITE}/tents` },
    { slug: `käse-${run}`, title: "A slug with an umlaut", defaultUrl: `${SITE}/cheese` },
    {
      slug: slug("vip"),
      title: "Behind the password 'open sesame'",
      defaultUrl: `${SITE}/vip`,
      password: "open sesame",
    },
    { slug: slug("first"), title: "For the first 25 visitors only", defaultUrl: `${SITE}/raffle`, maxClicks: 25 },
    {
      slug: slug("ended"),
      title: "Ended yesterday",
      defaultUrl: `${SITE}/past`,
      expiresAt: new Date(now.getTime() - DAY_MS).toISOString(),
    },
  ];
}
