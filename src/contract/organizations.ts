/** Organizations and their branding (spec §2, §4.4). */
import { type Static, Type } from "@sinclair/typebox";
import { id, optional, shape, shown } from "./schema";

export const Branding = shape(
  {
    displayName: optional(shown("Acme", Type.String())),
    logoUrl: optional(shown("https://acme.example/logo.svg", Type.String())),
    accentColor: optional(shown("#1f4fd8", Type.String())),
    supportUrl: optional(shown("https://acme.example/support", Type.String())),
    footerText: optional(Type.String()),
  },
  { $id: "Branding" },
);

export const Organization = shape(
  { _id: id(), name: shown("Acme", Type.String()), slug: shown("acme", Type.String()), branding: Branding },
  { $id: "Organization" },
);
export type Organization = Static<typeof Organization>;
