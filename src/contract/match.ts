/** Deferred deep links: what an app claims after it is installed. */
import { type Static, Type } from "@sinclair/typebox";
import { freeObject, id, oneOf, optional, shape, text, withExample } from "./schema";

const TOKEN = "ARgtXgA3Q4wAn0vJ3m2Qx7b1fWc5Zk";
/** More than any store passes on. */
const REFERRER_LENGTH_MAX = 4096;

const token = (description: string) => withExample(TOKEN, text(REFERRER_LENGTH_MAX, 1, description));

export const MatchInput = shape(
  { matchToken: token("As carried by the redirect to the store; valid for seven days") },
  { $id: "MatchInput" },
);
export type MatchInput = Static<typeof MatchInput>;

export const PROVIDERS = ["play_install_referrer", "app_store_campaign", "clipboard", "custom"] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Each may contain a whole Play referrer, from which the token is extracted. */
const attributionTokens = {
  installAttributionToken: optional(
    token("A token, or the whole install referrer that Play gives the app; `match_token` is taken from it"),
  ),
  campaignToken: optional(text(REFERRER_LENGTH_MAX, 1, "Instead of `installAttributionToken`: an App Store campaign")),
  ct: optional(text(REFERRER_LENGTH_MAX, 1, "Instead of `installAttributionToken`: the App Store's own name for it")),
};
export type TokenField = keyof typeof attributionTokens;

export const InstallAttributionInput = shape(
  {
    ...attributionTokens,
    provider: optional(
      withExample(
        "play_install_referrer",
        oneOf(
          PROVIDERS,
          "Where the app got the token. Defaults to `play_install_referrer` for `installAttributionToken`, otherwise to " +
            "`app_store_campaign`",
        ),
      ),
    ),
  },
  { $id: "InstallAttributionInput" },
);
export type InstallAttributionInput = Static<typeof InstallAttributionInput>;

export const MatchResponse = shape(
  {
    matched: withExample(
      true,
      Type.Boolean({
        description:
          "Whether this claim is the token's first, or repeats the first within a minute. If false, no other fields are " +
          "returned",
      }),
    ),
    installId: optional(id("The install counted for this claim")),
    openId: optional(id("The open counted for this claim")),
    deepLinkPayload: optional(withExample({ screen: "offer", offerId: 42 }, freeObject("The link's payload"))),
    destinationUrl: optional(
      withExample("https://shop.example.com/spring", Type.String({ description: "The link's web destination" })),
    ),
    installAttributionProvider: optional(
      withExample("play_install_referrer", oneOf(PROVIDERS, "For an install attribution, the `provider` of the claim")),
    ),
  },
  { $id: "MatchResponse" },
);
export type MatchResponse = Static<typeof MatchResponse>;
