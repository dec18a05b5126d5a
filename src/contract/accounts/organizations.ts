/** Organizations, their branding and settings. */
import { type Static, Type } from "@sinclair/typebox";
import { flag, id, nullable, oneOf, optional, shape, text, withExample } from "../schema";

/** The most organizations that one user may own. */
export const ORGANIZATIONS_OWNED_MAX = 50;

export const Branding = shape(
  {
    displayName: optional(withExample("Acme", Type.String())),
    logoUrl: optional(withExample("https://acme.example/logo.svg", Type.String())),
    accentColor: optional(withExample("#1f4fd8", Type.String())),
    supportUrl: optional(withExample("https://acme.example/support", Type.String())),
    footerText: optional(Type.String()),
  },
  { $id: "Branding" },
);
export type Branding = Static<typeof Branding>;

const APPEND_CLICK_ID = "Add the click id to destinations as the parameter `wm_cid`";

export const CONVERSION_KINDS = ["installs", "leads", "valued_events", "events"] as const;
export type ConversionKind = (typeof CONVERSION_KINDS)[number];
export const DEFAULT_CONVERSIONS: readonly ConversionKind[] = ["installs", "leads", "valued_events"];

const CONVERSIONS =
  "What predictions count as a conversion: `installs`, `leads`, `valued_events` (custom events whose names carry a " +
  "value) or all `events`; defaults to installs, leads and valued events";
const conversions = Type.Array(oneOf(CONVERSION_KINDS), {
  uniqueItems: true,
  minItems: 1,
  maxItems: CONVERSION_KINDS.length,
  description: CONVERSIONS,
  examples: [[...DEFAULT_CONVERSIONS]],
  error: `expected a list of different ones of ${CONVERSION_KINDS.join(", ")}, at least one`,
});

export const OrganizationSettings = shape(
  { appendClickId: Type.Boolean({ description: APPEND_CLICK_ID }), conversions },
  { $id: "OrganizationSettings", description: "Included when you read or change a single organization" },
);
export type OrganizationSettings = Static<typeof OrganizationSettings>;

export const Organization = shape(
  {
    _id: id(),
    name: withExample("Acme", Type.String()),
    slug: withExample("acme", Type.String()),
    branding: Branding,
    settings: optional(OrganizationSettings),
  },
  { $id: "Organization", tagged: true },
);
export type Organization = Static<typeof Organization>;

const name = withExample("Acme", text(120, 1));
const url = (example: string) => optional(nullable(withExample(example, text(2_048, 1, "Absolute http or https URL"))));

const accentColor = Type.String({
  pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$",
  description: "Color of buttons, `#rgb` or `#rrggbb`; text on it stays readable",
  error: "expected a color like #1f4fd8",
});

const BrandingInput = shape(
  {
    displayName: optional(
      nullable(withExample("Acme", text(120, 1, "Shown to visitors instead of the organization's name"))),
    ),
    logoUrl: url("https://acme.example/logo.svg"),
    accentColor: optional(nullable(withExample("#1f4fd8", accentColor))),
    supportUrl: url("https://acme.example/support"),
    footerText: optional(nullable(withExample("Acme Ltd, London", text(500, 1, "Shown at the end of pages")))),
  },
  { $id: "BrandingInput" },
);

const OrganizationSettingsInput = shape(
  {
    appendClickId: optional(nullable(withExample(true, flag(APPEND_CLICK_ID)))),
    conversions: optional(nullable(conversions)),
  },
  { $id: "OrganizationSettingsInput" },
);

export const OrganizationInput = shape({ name }, { $id: "OrganizationInput" });
export type OrganizationInput = Static<typeof OrganizationInput>;

export const OrganizationUpdate = shape(
  {
    name: optional(name),
    branding: optional(nullable(BrandingInput)),
    settings: optional(nullable(OrganizationSettingsInput)),
  },
  { $id: "OrganizationUpdate" },
);
export type OrganizationUpdate = Static<typeof OrganizationUpdate>;
