/** How a link looks when it is shared. */
import { type Static, Type } from "@sinclair/typebox";
import { destination, optional, shape, text, withExample } from "../schema";

const TITLE_LENGTH_MAX = 255;
const DESCRIPTION_LENGTH_MAX = 1_000;

const fields = {
  title: optional(withExample("20% off until Sunday", text(TITLE_LENGTH_MAX, 0, "Defaults to the link's title"))),
  description: optional(withExample("Everything for your garden.", text(DESCRIPTION_LENGTH_MAX))),
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
