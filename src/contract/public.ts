/** The public data of an organization: its branding on its own dashboard host, and its icons. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { Branding, Organization } from "./accounts/organizations";
import { optional, shape, text, withExample } from "./schema";

export const DashboardBrandingQuery = t.Object({
  hostname: withExample("go.acme.com", text(260, 1, "The host that serves the dashboard page")),
});

export const DashboardBranding = shape(
  {
    enabled: withExample(true, Type.Boolean({ description: "Whether this host serves an organization's dashboard" })),
    organization: optional(Organization),
    branding: Branding,
  },
  { $id: "DashboardBranding" },
);
export type DashboardBranding = Static<typeof DashboardBranding>;

/** Organizations' icons for visitors' pages; served on customers' short domains, too, where the API is not. */
export const VISITOR_ICONS_PATH = "/.well-known/waymark/icons";

/** Images for the cards of shared links, on every host. */
export const CARD_IMAGES_PATH = "/.well-known/waymark/cards";

/**
 * Images of visitors' pages, on every host: of a destination, and a bio page's avatar, cover and items, small and large.
 */
export const PAGE_IMAGES_PATH = "/.well-known/waymark/images";
export const PAGE_IMAGE_FORMS = ["preview", "avatar", "cover", "thumb", "tile"] as const;
export type PageImageForm = (typeof PAGE_IMAGE_FORMS)[number];

/** Browsers request it on their own, on every host. */
export const FAVICON_PATH = "/favicon.ico";

export const IconPng = Type.String({
  contentMediaType: "image/png",
  description: "A square of 256 pixels",
});
