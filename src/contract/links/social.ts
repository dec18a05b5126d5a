/** How a link looks when it is shared. */
import { type Static, Type } from "@sinclair/typebox";
import { destination, optional, shape, text, withExample } from "../schema";

export const SOCIAL_LIMITS = {
  titleLengthMax: 255,
  descriptionLengthMax: 1_000,
} as const;

const fields = {
  title: optional(
    withExample("20% off until Sunday", text(SOCIAL_LIMITS.titleLengthMax, 0, "Defaults to the link's title")),
  ),
  description: optional(withExample("Everything for your garden.", text(SOCIAL_LIMITS.descriptionLengthMax))),
};

const IMAGE_URL = "https://shop.example.com/spring.jpg";

export const Social = shape(
  { ...fields, imageUrl: optional(withExample(IMAGE_URL, Type.String())) },
  { $id: "Social", description: "The card that messengers and social networks show of the link" },
);
export type Social = Static<typeof Social>;

export const SocialInput = shape(
  {
    ...fields,
    imageUrl: optional(
      withExample(
        IMAGE_URL,
        destination("An absolute http(s) URL of an image of at most 5 MB, served from the link's own domain"),
      ),
    ),
  },
  {
    $id: "SocialInput",
    description:
      "The card that messengers and social networks show of the link. Their previewers get a page with it instead of the " +
      "redirect; everyone else is redirected as usual. It replaces the previous one as a whole.",
  },
);
