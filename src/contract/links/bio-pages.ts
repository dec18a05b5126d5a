/** Bio pages: pages of links at a short URL. */
import { type Static, Type } from "@sinclair/typebox";
import {
  destination,
  flag,
  id,
  instant,
  list,
  nullable,
  oneOf,
  optional,
  pageOf,
  shape,
  text,
  withExample,
} from "../schema";
import { Safety } from "./safety";

/** Limit of each organization. */
export const BIO_PAGES_MAX = 500;
export const BIO_ITEMS_MAX = 50;

export const BIO_PRESETS = ["light", "dark", "contrast", "auto"] as const;
const BIO_BUTTON_STYLES = ["fill", "outline", "soft", "shadow"] as const;
const BIO_BUTTON_SHAPES = ["rounded", "pill", "square"] as const;
const BIO_DISPLAYS = ["button", "icon", "card", "heading"] as const;
const BIO_FONTS = ["sans", "serif", "mono", "rounded"] as const;

const colour = (description: string) =>
  optional(
    Type.String({
      pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$",
      description,
      error: "expected #rgb or #rrggbb",
    }),
  );

const image = (example: string, description: string) =>
  optional(
    withExample(example, destination(`${description}. An image of at most 5 MB, served from the page's own domain`)),
  );

export const BioTheme = shape(
  {
    preset: optional(
      withExample(
        "auto",
        oneOf(
          BIO_PRESETS,
          "Defaults to `light`; the colors below override its own. `auto` is light or dark as the visitor's device asks; in " +
            "dark, `background` and `text` are those of `dark`",
        ),
      ),
    ),
    background: colour("Page background"),
    backgroundEnd: {
      ...colour(
        "Makes the background a gradient, from `background` at the top to this color at the bottom. It stops earlier if no " +
          "text could be read on all of it",
      ),
      examples: ["#ffd9a8"],
    },
    text: colour("Color of title and text; made lighter or darker on the page if it would be unreadable"),
    accent: {
      ...colour("Color of the items; defaults to that of the organization's branding, except with `contrast`"),
      examples: ["#ffb300"],
    },
    font: optional(withExample("rounded", oneOf(BIO_FONTS))),
    buttonStyle: optional(withExample("soft", oneOf(BIO_BUTTON_STYLES, "How items are drawn; defaults to `fill`"))),
    buttonShape: optional(withExample("pill", oneOf(BIO_BUTTON_SHAPES, "Defaults to `rounded`"))),
    avatarUrl: image(
      "https://acme.com/portrait.jpg",
      "Shown round, above the title; defaults to the organization's logo",
    ),
    coverUrl: image("https://acme.com/cover.jpg", "Shown across the top of the page, three times as wide as high"),
  },
  { $id: "BioTheme" },
);
export type BioTheme = Static<typeof BioTheme>;

const ICON =
  "Icons: `mail`, `globe`, `phone`, `chat`, `shop`, `music`, `video`, `camera`, `code`, `heart`, `star`, " +
  "`calendar`, `map`, `book`, `download` or `link`. The name of a service, like `instagram`, `tiktok` or `spotify`, shows " +
  "that service's own; anything else its first character";

const itemTitle = withExample("Spring collection", text(120, 1));
const itemUrl = withExample("https://shop.example.com/spring", text(2048, 1, "An absolute http(s) URL"));
const itemIcon = withExample("shop", text(32, 1, ICON));

const itemDisplay = withExample(
  "icon",
  oneOf(
    BIO_DISPLAYS,
    "`icon`: a small icon in a row below the text, with the title for screen readers; `card`: a large image with the title " +
      "below it; `heading`: a title above the items that follow, shown if there are any; defaults to `button`",
  ),
);

const itemImage = image("https://acme.com/spring.jpg", "Shown in place of the icon, or above the title of a `card`");

/** The stored form, with a key that stays the same while the list changes. */
export const BioItem = shape(
  {
    key: withExample(
      "k7mz2qd",
      Type.String({ description: "Stays the same while the list changes; the `splitKey` of the item's clicks" }),
    ),
    title: itemTitle,
    url: optional(itemUrl),
    linkId: optional(id("Leads to this link's short URL, which counts the visits")),
    icon: optional(itemIcon),
    imageUrl: itemImage,
    display: optional(itemDisplay),
    isActive: Type.Boolean(),
  },
  {
    $id: "BioItem",
    examples: [
      {
        key: "k7mz2qd",
        title: "Spring collection",
        url: "https://shop.example.com/spring",
        icon: "shop",
        isActive: true,
      },
    ],
  },
);
export type BioItem = Static<typeof BioItem>;

export const BioItemInput = shape(
  {
    key: optional(nullable(text(64, 1, "Key of an existing item, which keeps its figures; unknown keys are ignored"))),
    title: itemTitle,
    url: optional(nullable(itemUrl)),
    linkId: optional(
      nullable(text(64, 1, "A link of the organization, instead of `url`. A `heading` has neither of them")),
    ),
    icon: optional(nullable(itemIcon)),
    imageUrl: optional(nullable(itemImage)),
    display: optional(nullable(itemDisplay)),
    isActive: optional(nullable(flag("Whether the item is shown; defaults to true"))),
  },
  {
    $id: "BioItemInput",
    examples: [{ title: "Spring collection", url: "https://shop.example.com/spring", icon: "shop" }],
  },
);
export type BioItemInput = Static<typeof BioItemInput>;

const pageFields = {
  slug: optional(nullable(text(190, 1, "Letters, digits and `_ . - + ~ !`; generated if omitted"))),
  bio: optional(nullable(text(500, 0, "A few words shown below the title"))),
  domainId: optional(
    nullable(text(64, 1, "Defaults to the organization's primary verified domain, or else the shared one")),
  ),
  theme: optional(nullable(BioTheme)),
  links: optional(nullable(list(BioItemInput, BIO_ITEMS_MAX, "The items in the order of the page"))),
  isActive: optional(flag("Whether the page is served; defaults to true")),
};

const inputExample = {
  bio: "Shoes and more.",
  theme: { preset: "dark", accent: "#ffb300", font: "rounded" },
  links: [
    { title: "Spring collection", url: "https://shop.example.com/spring", icon: "shop" },
    { title: "Write to us", url: "https://acme.example.com/contact", icon: "mail" },
  ],
};

const title = text(120, 1, "Shown above the items");

export const BioPageInput = shape(
  { title, ...pageFields },
  { $id: "BioPageInput", examples: [{ slug: "acme", title: "Acme Shoes", ...inputExample }] },
);
export type BioPageInput = Static<typeof BioPageInput>;

export const BioPageUpdate = shape(
  { title: optional(title), ...pageFields },
  { $id: "BioPageUpdate", examples: [{ title: "Acme Shoes & Bags", links: inputExample.links }] },
);
export type BioPageUpdate = Static<typeof BioPageUpdate>;

export const BioPage = shape(
  {
    _id: id(),
    orgId: withExample("0198f2a1-02c4-7e11-8a35-9b6d1c2e7f40", id()),
    domainId: withExample("0198f2a4-77d0-7b52-b1c8-2e4f6a8091d3", id()),
    slug: withExample("acme", Type.String()),
    url: withExample("https://go.example.com/acme", Type.String()),
    title: withExample("Acme Shoes", Type.String()),
    bio: optional(withExample("Shoes and more.", Type.String())),
    theme: BioTheme,
    links: Type.Array(BioItem),
    isActive: Type.Boolean(),
    safety: Safety,
    createdAt: instant(),
    updatedAt: instant(),
  },
  { $id: "BioPage", tagged: true },
);
export type BioPage = Static<typeof BioPage>;

export const BioPagePage = pageOf("bioPages", BioPage);
