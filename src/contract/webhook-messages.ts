/** The messages sent to endpoints, as described in the OpenAPI document. Tests check real deliveries against them. */
import { type TSchema, Type } from "@sinclair/typebox";
import { visitorFields } from "./analytics/clicks";
import { CustomEvent } from "./events";
import { Link } from "./links/links";
import { PROVIDERS } from "./match";
import { PLATFORMS } from "./platforms";
import { Utm } from "./routing";
import { freeObject, id, instant, nullable, oneOf, optional, shape, withExample } from "./schema";
import type { WebhookEvent } from "./webhooks";

const destinationUrl = withExample("https://shop.example.com/spring", Type.String());
const known = (example: string, description?: string) => optional(withExample(example, Type.String({ description })));

const ClickData = shape(
  {
    _id: id(),
    occurredAt: instant(),
    orgId: id(),
    linkId: id(),
    ...visitorFields,
    utm: optional(Utm),
    route: shape({
      kind: withExample("rule", Type.String({ description: "rule, split, store or default" })),
      ruleIndex: withExample(
        0,
        nullable(Type.Integer({ description: "Position in the rules of the link's version then" })),
      ),
      splitKey: withExample(null, nullable(Type.String())),
      destinationUrl,
      ruleNumber: withExample(
        0,
        nullable(Type.Integer({ description: "The rule's `number`, by which figures count it" })),
      ),
    }),
    isBot: withExample(false, Type.Boolean({ description: "Always false: bot clicks are not sent" })),
    botReasons: withExample([], Type.Array(Type.String())),
    spamScore: withExample(0, Type.Integer({ description: "From 0 to 100; 70 or more waits for review" })),
  },
  { $id: "WebhookClick", description: "A visit to a link, without the visitor's address" },
);

const openFields = {
  openId: id("The open that was counted"),
  linkId: id(),
  link: shape({
    _id: id(),
    shortUrl: withExample("https://go.example.com/spring", Type.String()),
    title: known("Spring sale"),
  }),
  deepLinkPayload: withExample({ screen: "offer", offerId: 42 }, freeObject("The link's payload")),
  destinationUrl: withExample(
    "https://shop.example.com/spring",
    Type.String({ description: "The link's web destination" }),
  ),
  source: withExample("deferred", oneOf(["direct", "deferred"], "`deferred`: after an install")),
  platform: withExample("ios", oneOf(PLATFORMS)),
  installAttributionProvider: optional(oneOf(PROVIDERS, "For an install attribution")),
};

const OpenData = shape(
  { ...openFields, installId: optional(id("For a match: the install that was counted")) },
  { $id: "WebhookOpen", description: "A link that opened in an app" },
);

const MatchData = shape(
  { ...openFields, installId: id("The install that was counted") },
  { $id: "WebhookMatch", description: "A visit that led to an install" },
);

const ErasedData = shape(
  { erased: Type.Literal(true) },
  {
    $id: "WebhookErased",
    description: "In place of the data, if the visitor was erased before the message was sent",
  },
);
const unlessErased = (data: TSchema) => Type.Union([data, ErasedData]);

const message = <Event extends WebhookEvent>(event: Event, $id: string, data: Parameters<typeof optional>[0]) =>
  shape(
    {
      id: id("Id of the message: the same for every endpoint and attempt"),
      event: Type.Literal(event),
      createdAt: instant("When it happened"),
      organizationId: id(),
      data,
    },
    { $id },
  );

export const WEBHOOK_MESSAGES = {
  click: message("click", "ClickMessage", unlessErased(ClickData)),
  "link.created": message("link.created", "LinkCreatedMessage", Link),
  "link.matched": message("link.matched", "LinkMatchedMessage", unlessErased(MatchData)),
  "link.opened": message("link.opened", "LinkOpenedMessage", unlessErased(OpenData)),
  "custom.event": message("custom.event", "CustomEventMessage", unlessErased(CustomEvent)),
} satisfies Record<WebhookEvent, TSchema>;

export const WebhookBatchMessage = shape(
  {
    id: id("Id of the batch; each event in it has its own"),
    events: Type.Array(Type.Union(Object.values(WEBHOOK_MESSAGES)), { minItems: 1, maxItems: 100 }),
  },
  { $id: "WebhookBatchMessage", description: "Replaces single messages for a webhook with `batch: true`" },
);
