/** The routing preview: what a simulated visitor would get, and why. */
import { type Static, Type } from "@sinclair/typebox";
import { byNameFact, nameFact } from "../facts";
import { PLATFORMS } from "../platforms";
import {
  flag,
  freeObject,
  instantInput,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  shape,
  text,
  VISIT_LENGTH_MAX,
  withExample,
} from "../schema";
import { Link, LinkUpdate, RouteKind } from "./links";
import { Safety } from "./safety";

const CONTEXTS_MAX = 50;

const visitorFields = {
  platform: optional(oneOf(PLATFORMS)),
  ...byNameFact((name) => optional(text(100, 0, nameFact(name).statedAs))),
  osVersion: optional(text(100, 0, "Like `17.4`")),
  language: optional(text(100, 0, "BCP 47, like `de-AT`")),
  visitorId: optional(text(255, 0, "Decides the split target, as the same id does in `resolve`")),
  randomizeVisitor: optional(flag("Choose the split target at random instead of by visitor")),
  query: optional(text(VISIT_LENGTH_MAX, 0, "Query of the short URL, like `src=tv`; defaults to that of `shortUrl`")),
  referrer: optional(text(VISIT_LENGTH_MAX, 0, "URL or host of the referring page; omit it for a direct visit")),
  address: optional({ ...text(64, 0, "IP address of the visitor, for conditions on `addresses`") }),
  now: optional(instantInput("Time of the visit; defaults to now")),
  timezoneOffsetMinutes: optional(integer(-1440, 1440, "Like `Date.getTimezoneOffset()`: negative east of UTC")),
};

export const LinkPreviewInput = shape(
  {
    shortUrl: optional(text(4096, 1, "The saved link, or its `domain`, `slug` and `pathPrefix`")),
    domain: optional(text(255, 1, "Host of the short URL")),
    slug: optional(text(190, 1, "Last segment of the short URL")),
    pathPrefix: optional(text(255, 0, "Path between host and slug, if any")),
    ...visitorFields,
    password: optional(text(128, 0, "The password that the visitor enters; defaults to the one in `query`")),
    link: optional({
      ...LinkUpdate,
      $id: undefined,
      description: "A link that is not saved: changes to the one you name, or a new one if you name none",
    }),
    contexts: optional(
      list(
        shape(visitorFields),
        CONTEXTS_MAX,
        "More visitors to evaluate, each with the facts above unless it has its own",
      ),
    ),
  },
  {
    $id: "LinkPreviewInput",
    examples: [{ shortUrl: "https://go.example.com/spring", platform: "ios", osVersion: "17.4", country: "DE" }],
  },
);
export type LinkPreviewInput = Static<typeof LinkPreviewInput>;

export const Blocker = oneOf([
  "inactive",
  "unsafe",
  "domain_unverified",
  "not_started",
  "expired",
  "max_clicks_reached",
  "password_required",
  "password_incorrect",
]);
export type Blocker = Static<typeof Blocker>;

export const StoreSkipped = shape(
  {
    reason: oneOf(
      ["no_app", "web_fallback", "rule", "split", "platform", "device", "no_store_id"],
      "`no_app`: no app applies to the link; `no_store_id`: the app has no store id for this platform",
    ),
    note: withExample(
      "The shared domain has no app; name `appProfileId`",
      Type.String({ description: "What to change" }),
    ),
  },
  { $id: "StoreSkipped", description: "Why the visitor is not sent to the app's store; null if they are" },
);
export type StoreSkipped = Static<typeof StoreSkipped>;

export const RuleTrace = shape({
  index: withExample(0, Type.Integer({ description: "Position in the link's rules" })),
  priority: withExample(10, Type.Integer({ description: "Lower ones are evaluated first" })),
  destinationUrl: withExample("https://shop.example.com/app", Type.String()),
  matched: Type.Boolean(),
  conditions: Type.Array(
    shape({
      field: withExample("platform", Type.String()),
      expected: withExample(["ios", "android"], Type.Unknown({ description: "What the rule says" })),
      actual: withExample("ios", Type.Unknown({ description: "What is known of the visitor" })),
      matched: Type.Boolean(),
    }),
  ),
});

const outcomeFields = {
  ok: Type.Boolean(),
  blockers: withExample([], Type.Array(Blocker)),
  context: withExample(
    { platform: "ios", osVersion: "17.4", country: "DE" },
    freeObject("The visitor that the routing was evaluated for"),
  ),
  route: shape({
    kind: RouteKind,
    ruleIndex: withExample(0, nullable(Type.Integer())),
    splitKey: withExample(null, nullable(Type.String())),
    destinationUrl: withExample("https://shop.example.com/app", Type.String()),
    storeSkipped: withExample({ reason: "rule", note: "Rule 1 applies first" }, nullable(StoreSkipped)),
  }),
  ruleTrace: Type.Array(RuleTrace),
  blockedUrl: withExample(
    null,
    nullable(
      Type.String({
        description:
          "Where a blocked visitor is sent instead of an error page: the link's `expiredUrl`, or a redirect of its domain",
      }),
    ),
  ),
};

export const PreviewOutcome = shape(outcomeFields, {
  $id: "PreviewOutcome",
  description: "What one of the `contexts` gets",
});
export type PreviewOutcome = Static<typeof PreviewOutcome>;

export const LinkPreview = shape(
  {
    ...outcomeFields,
    link: Link,
    safety: Safety,
    deepLinkPayload: withExample({ screen: "offer", offerId: 42 }, freeObject()),
    contexts: optional(Type.Array(PreviewOutcome, { description: "In the order of the request; omitted without any" })),
  },
  { $id: "LinkPreviewResponse" },
);
export type LinkPreview = Static<typeof LinkPreview>;
