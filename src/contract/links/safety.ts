/** What is known about the safety of a link's destinations. */
import { type Static, Type } from "@sinclair/typebox";
import { instant, oneOf, optional, shape, withExample } from "../schema";

const SAFETY_STATUSES = ["safe", "suspicious", "unsafe", "unknown"] as const;

const status = oneOf(
  SAFETY_STATUSES,
  "`unsafe`: a blocklist or Web Risk lists a destination, and the short URL returns 403. `suspicious`: a " +
    "destination shows a sign of deception; the link still works. `safe`: a blocklist or Web Risk was checked and " +
    "lists nothing. `unknown`: nothing was found, but no such list has been checked yet",
);

const reasons = Type.Array(Type.String(), {
  description:
    "Each is a stable id, a colon and a sentence. `blocklist`, `web_risk_malware`, `web_risk_social_engineering` and " +
    "`web_risk_unwanted_software` make a link unsafe; `ip_address`, `local_host`, `mixed_scripts`, `brand_lookalike`, " +
    "`brand_in_foreign_host`, `many_subdomains`, `unusual_port`, `url_shortener`, `own_short_link` and " +
    "`program_download` make it suspicious",
});

export const Safety = shape(
  {
    status: withExample("safe", status),
    reasons: withExample([], reasons),
    checkedAt: optional(instant("When the destinations were last checked")),
    destinations: optional(
      Type.Array(shape({ url: Type.String(), status: oneOf(SAFETY_STATUSES), reasons: Type.Array(Type.String()) }), {
        description: "Destinations with findings; omitted if there are none",
      }),
    ),
  },
  {
    $id: "Safety",
    description:
      "The combined result for all destinations: `defaultUrl`, `expiredUrl`, those of `rules` and `splitTargets`, and " +
      "`ctaOverlay.buttonUrl`. Checked when the link is created, when a destination changes, on request and " +
      "periodically, but never during a redirect",
  },
);
export type Safety = Static<typeof Safety>;
