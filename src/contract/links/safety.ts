/** What is known of where a link leads. */
import { type Static, Type } from "@sinclair/typebox";
import { instant, oneOf, optional, shape, shown } from "../schema";

const SAFETY_STATUSES = ["safe", "suspicious", "unsafe", "unknown"] as const;

const status = oneOf(
  SAFETY_STATUSES,
  "`unsafe`: a blocklist or Web Risk names a destination, and the short URL answers 403. `suspicious`: a destination has a sign of deceit; the link serves. `safe`: a blocklist or Web Risk was asked, and nothing was found. `unknown`: nothing was found, and no such list has been asked yet",
);

const reasons = Type.Array(Type.String(), {
  description:
    "Each a stable id, a colon and a sentence: `blocklist`, `web_risk_malware`, `web_risk_social_engineering`, `web_risk_unwanted_software` make a link unsafe; `ip_address`, `local_host`, `mixed_scripts`, `brand_lookalike`, `brand_in_foreign_host`, `many_subdomains`, `unusual_port`, `url_shortener`, `own_short_link`, `program_download` suspicious",
});

export const Safety = shape(
  {
    status: shown("safe", status),
    reasons: shown([], reasons),
    checkedAt: optional(instant("When the destinations were last looked at")),
    destinations: optional(
      Type.Array(shape({ url: Type.String(), status: oneOf(SAFETY_STATUSES), reasons: Type.Array(Type.String()) }), {
        description: "Those of the link's destinations that something was found about; absent when there is none",
      }),
    ),
  },
  {
    $id: "Safety",
    description:
      "Of all destinations together: the default, those of rules and split targets, and the button of the call to action. Looked at when the link is made, when a destination changes, on request and from time to time; never during a redirect",
  },
);
export type Safety = Static<typeof Safety>;
