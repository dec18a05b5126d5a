/** Proposals of UTM values for a campaign. */
import { type Static, Type } from "@sinclair/typebox";
import { Utm } from "../routing";
import { instant, nullable, optional, shape, text, withExample } from "../schema";

const words = (description: string) => optional(text(255, 0, description));

export const UtmGenerationInput = shape(
  {
    destinationUrl: optional(text(2048, 0, "An absolute http(s) URL, for `previewUrl`")),
    title: words("Becomes the campaign if nothing else does"),
    source: words("`utm_source`"),
    channel: words("Becomes the medium; a known place (`Instagram`) also becomes the source"),
    platform: words("Becomes the source"),
    medium: words("`utm_medium`"),
    campaignName: words("Becomes the campaign"),
    campaign: words("`utm_campaign`"),
    audience: words("Becomes the term, or the content if the term is already set"),
    keyword: words("Becomes the term"),
    term: words("`utm_term`"),
    creative: words("Becomes the content, before the variant"),
    variant: words("Becomes the content, after the creative"),
    content: words("`utm_content`"),
  },
  {
    $id: "UtmGenerationInput",
    examples: [{ destinationUrl: "https://shop.example.com/spring", title: "Spring sale", source: "newsletter" }],
  },
);
export type UtmGenerationInput = Static<typeof UtmGenerationInput>;

export const UtmGenerationResponse = shape(
  {
    generatedAt: instant(),
    utm: Utm,
    previewUrl: withExample(
      "https://shop.example.com/spring?utm_source=newsletter&utm_medium=email&utm_campaign=spring-sale",
      nullable(Type.String({ description: "The destination as visitors will see it; null without one" })),
    ),
    confidence: withExample(
      70,
      Type.Integer({ minimum: 0, maximum: 100, description: "The sum of the points in `rationale`" }),
    ),
    rationale: withExample(
      [
        'source "newsletter" as given: +30',
        'medium "email" the usual one for newsletter: +15',
        'campaign "spring-sale" from title "Spring sale": +15',
        "destinationUrl to preview it: +10",
      ],
      Type.Array(Type.String()),
    ),
    warnings: withExample([], Type.Array(Type.String())),
  },
  { $id: "UtmGenerationResponse" },
);
export type UtmGenerationResponse = Static<typeof UtmGenerationResponse>;
