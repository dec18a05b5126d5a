/** What endpoints are sent, as the OpenAPI document describes it and tests hold it against real deliveries. */
import { type TSchema, Type } from "@sinclair/typebox";
import { CustomEvent } from "./events";
import { Link } from "./links/links";
import { PROVIDERS } from "./match";
import { PLATFORMS, Utm } from "./routing";
import { freeObject, id, instant, nullable, oneOf, optional, shape, shown } from "./schema";
import type { WebhookEvent } from "./webhooks";

const destinationUrl = shown("https://shop.example.com/spring", Type.String());
const known = (example: string, description?: string) => optional(shown(example, Type.String({ description })));

const ClickData = shape(
  {
    _id: id(),
    occurredAt: instant(),
    orgId: id(),
    linkId: id(),
    visitorId: shown("5f0c9e6d1b7a2384", Type.String({ description: "Tells visitors apart, not who they are" })),
    platform: shown("ios", oneOf(PLATFORMS)),
    deviceType: known("mobile"),
    deviceVendor: known("Apple"),
    deviceModel: known("iPhone"),
    browser: known("Mobile Safari"),
    os: known("iOS"),
    osVersion: known("18.4"),
    country: known("DE", "ISO 3166-1 alpha-2"),
    region: known("Berlin"),
    city: known("Berlin"),
    language: known("de", "BCP 47"),
    referrer: known("news.example.com", "The host that the visitor came from"),
    utm: optional(Utm),
    route: shape({
      kind: shown("rule", Type.String({ description: "rule, split, store or default" })),
      ruleIndex: shown(0, nullable(Type.Integer({ description: "Position in the link's rules" }))),
      splitKey: shown(null, nullable(Type.String())),
      destinationUrl,
    }),
    isBot: shown(false, Type.Boolean({ description: "False: robots' clicks are told to nobody" })),
    botReasons: shown([], Type.Array(Type.String())),
    spamScore: shown(0, Type.Integer({ description: "From 0 to 100; 70 and more waits for review" })),
  },
  { $id: "WebhookClick", description: "A visit to a link, without the visitor's address" },
);

const openFields = {
  openId: id("Of the open that is counted"),
  linkId: id(),
  link: shape({
    _id: id(),
    shortUrl: shown("https://go.example.com/spring", Type.String()),
    title: known("Spring sale"),
  }),
  deepLinkPayload: shown({ screen: "offer", offerId: 42 }, freeObject("The link's")),
  destinationUrl: shown(
    "https://shop.example.com/spring",
    Type.String({ description: "Where the link leads on the web" }),
  ),
  source: shown("deferred", oneOf(["direct", "deferred"], "`deferred`: after an install")),
  platform: shown("ios", oneOf(PLATFORMS)),
  installAttributionProvider: optional(oneOf(PROVIDERS, "Of an install attribution")),
};

const OpenData = shape(
  { ...openFields, installId: optional(id("Of a match: the install that is counted with it")) },
  { $id: "WebhookOpen", description: "A link that opened in an app" },
);

const MatchData = shape(
  { ...openFields, installId: id("Of the install that is counted") },
  { $id: "WebhookMatch", description: "A visit that was followed by an install" },
);

const message = <Event extends WebhookEvent>(event: Event, $id: string, data: Parameters<typeof optional>[0]) =>
  shape(
    {
      id: id("Of the message: the same for each endpoint and each try"),
      event: Type.Literal(event),
      createdAt: instant("When it happened"),
      organizationId: id(),
      data,
    },
    { $id },
  );

export const WEBHOOK_MESSAGES = {
  click: message("click", "ClickMessage", ClickData),
  "link.created": message("link.created", "LinkCreatedMessage", Link),
  "link.matched": message("link.matched", "LinkMatchedMessage", MatchData),
  "link.opened": message("link.opened", "LinkOpenedMessage", OpenData),
  "custom.event": message("custom.event", "CustomEventMessage", CustomEvent),
} satisfies Record<WebhookEvent, TSchema>;

export const WebhookBatchMessage = shape(
  {
    id: id("Of the batch; each event in it has its own"),
    events: Type.Array(Type.Union(Object.values(WEBHOOK_MESSAGES)), { minItems: 1, maxItems: 100 }),
  },
  { $id: "WebhookBatchMessage", description: "Sent in place of single messages to a webhook with `batch: true`" },
);
