/** Custom domains: the DNS records to create, those found, and what the host is used for. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { AppConfig } from "./apps";
import {
  destination,
  EXAMPLE_ID,
  flag,
  id,
  instant,
  nullable,
  oneOf,
  optional,
  queryFlag,
  queryInteger,
  shape,
  text,
  withExample,
} from "./schema";

/** Limit of each organization. */
export const DOMAINS_MAX = 1_000;

export const DomainInput = shape(
  {
    hostname: withExample(
      "go.acme.com",
      // As many as `core/names/hostname` accepts.
      text(244, 1, "A host name with at least two labels; international names are written as is"),
    ),
    caseSensitive: optional(
      nullable(
        withExample(
          false,
          flag(
            "Whether `/aB` and `/ab` are two links, as with some other services; by default they are one. Cannot be changed later",
          ),
        ),
      ),
    ),
  },
  { $id: "DomainInput" },
);
export type DomainInput = Static<typeof DomainInput>;

export const DashboardHostingInput = shape(
  {
    enabled: optional(nullable(withExample(true, flag("Whether this host serves the dashboard")))),
    isPrimary: optional(
      nullable(
        withExample(true, flag("Whether new links without a domain use this one; clears the flag on other domains")),
      ),
    ),
  },
  { $id: "DashboardHostingInput" },
);
export type DashboardHostingInput = Static<typeof DashboardHostingInput>;

const onlyUrl = (description: string) => ({
  ...destination(description),
  error: "expected an absolute http or https URL; only `root` can be a bio page",
});

const DomainRedirectsInput = shape(
  {
    root: optional(
      nullable(
        Type.Union(
          [
            destination(),
            shape({
              bioPageId: withExample(EXAMPLE_ID, text(64, 1, "A bio page on this domain")),
            }),
          ],
          {
            description: "Where `/` leads: a URL (302), or a bio page of this domain, which is served there",
            error: "expected an absolute http or https URL, or an object with bioPageId",
          },
        ),
      ),
    ),
    notFound: optional(nullable(onlyUrl("Where visitors go (302) instead of getting 404"))),
    expired: optional(
      nullable(onlyUrl("Where visitors of links without `expiredUrl` go (302) instead of getting 410")),
    ),
  },
  {
    $id: "DomainRedirectsInput",
    examples: [{ root: "https://www.acme.com/", notFound: "https://www.acme.com/lost", expired: null }],
  },
);

export const DomainUpdate = shape(
  {
    redirects: optional(nullable(DomainRedirectsInput)),
    caseSensitive: optional(nullable(flag("Accepted, but changes nothing"))),
  },
  {
    $id: "DomainUpdate",
    examples: [{ redirects: { root: "https://www.acme.com/", notFound: "https://www.acme.com/lost" } }],
  },
);
export type DomainUpdate = Static<typeof DomainUpdate>;

export const DomainRedirects = shape(
  {
    root: optional(
      withExample(
        "https://www.acme.com/",
        Type.Union([Type.String(), shape({ bioPageId: id() })], { description: "A URL or a bio page" }),
      ),
    ),
    notFound: optional(withExample("https://www.acme.com/lost", Type.String())),
    expired: optional(withExample("https://www.acme.com/expired", Type.String())),
  },
  { $id: "DomainRedirects", description: "Where visitors go who would otherwise get an error page" },
);
export type DomainRedirects = Static<typeof DomainRedirects>;

export const RECORD_TYPES = ["TXT", "CNAME", "A", "AAAA"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export const DnsRecord = shape(
  {
    type: withExample("TXT", oneOf(RECORD_TYPES)),
    name: withExample("_waymark.go.acme.com", Type.String()),
    value: optional(
      withExample(
        "waymark-4f1c0a9be2d35768c0d1e2f3a4b5c6d7",
        Type.String({
          description: "The value to enter; omitted while the service's own addresses cannot be looked up",
        }),
      ),
    ),
    isRequired: withExample(
      true,
      Type.Boolean({
        description: "Whether verification needs this record: the TXT record proves that you control the host",
      }),
    ),
    found: withExample(
      ["waymark-4f1c0a9be2d35768c0d1e2f3a4b5c6d7"],
      Type.Array(Type.String(), { description: "What DNS returns now" }),
    ),
    status: withExample(
      "ok",
      oneOf(
        ["ok", "missing", "wrong", "unknown"],
        "`unknown`: the name servers could not be reached or did not respond",
      ),
    ),
  },
  { $id: "DnsRecord" },
);
export type DnsRecord = Static<typeof DnsRecord>;

const missing = withExample(
  [],
  Type.Array(Type.String(), { description: "Type and name of each missing or wrong record" }),
);

export const DomainVerification = shape(
  {
    checkedAt: instant("When the records were last checked"),
    missing,
    records: Type.Array(DnsRecord),
    missingSince: optional(
      instant("When a verified domain's TXT record was first missing; verification ends after three days"),
    ),
  },
  { $id: "DomainVerification" },
);
export type DomainVerification = Static<typeof DomainVerification>;

const DashboardHosting = shape(
  {
    enabled: withExample(false, Type.Boolean({ description: "Whether this host serves the dashboard" })),
    isPrimary: withExample(true, Type.Boolean({ description: "Whether new links without a domain use this one" })),
  },
  { $id: "DashboardHosting" },
);

export const Domain = shape(
  {
    _id: id(),
    hostname: withExample("go.acme.com", Type.String({ description: "In lower case and punycode" })),
    isVerified: withExample(true, Type.Boolean()),
    caseSensitive: withExample(
      false,
      Type.Boolean({ description: "Whether slugs that differ only in case are different links" }),
    ),
    dashboard: DashboardHosting,
    appConfig: AppConfig,
    redirects: DomainRedirects,
    verification: optional(DomainVerification),
    createdAt: instant(),
    verifiedAt: optional(instant()),
  },
  { $id: "Domain", tagged: true },
);
export type Domain = Static<typeof Domain>;

export const DomainList = Type.Array(Domain, { $id: "DomainList" });

/** Returns all domains unless `limit` is given: the response has no field that could say that there are more. */
export const DomainListQuery = t.Object({
  page: optional(queryInteger("page", 1, 1_000_000, "Starts at 1, which is the default")),
  limit: optional(queryInteger("limit", 1, 100, "Items per page; defaults to all")),
});

export const Certificate = shape(
  {
    status: withExample(
      "ready",
      oneOf(["none", "pending", "ready", "failed"], "`failed`: the request failed and will be repeated"),
    ),
    detail: optional(Type.String({ description: "As reported by the certificate issuer" })),
    expiresAt: optional(instant()),
    checkedAt: optional(instant()),
  },
  { $id: "Certificate" },
);
export type Certificate = Static<typeof Certificate>;

const DOMAIN_CHECKS = [
  ...(["ownership", "address", "tls", "apple-app-site-association", "apple-cdn", "assetlinks"] as const),
  ...(["app", "visitor-addresses"] as const),
] as const;

export const DomainCheck = shape(
  {
    check: withExample("tls", oneOf(DOMAIN_CHECKS)),
    status: withExample("ok", oneOf(["ok", "warning", "failed", "unknown"])),
    found: withExample("Certificate for go.acme.com, valid until 2026-04-30", Type.String()),
    advice: optional(Type.String({ description: "How to fix it" })),
  },
  { $id: "DomainCheck" },
);
export type DomainCheck = Static<typeof DomainCheck>;

export const DomainConfiguration = shape(
  {
    _id: id(),
    hostname: withExample("go.acme.com", Type.String()),
    isVerified: withExample(true, Type.Boolean()),
    records: Type.Array(DnsRecord, { description: "Records to create in DNS, and what is there now" }),
    missing,
    certificate: optional(Certificate),
    checks: optional(Type.Array(DomainCheck, { description: "Only with `check=true`" })),
  },
  { $id: "DomainConfiguration" },
);
export type DomainConfiguration = Static<typeof DomainConfiguration>;

export const ConfigurationQuery = t.Object({
  check: optional(
    queryFlag(
      "check",
      "Also test the host the way a phone would: DNS, TLS, the association files, and whether apps and visitors are known",
    ),
  ),
});

export const TlsQuery = t.Object({
  domain: withExample("go.acme.com", text(260, 1, "The host name")),
});
export const TlsAnswer = shape({ domain: withExample("go.acme.com", Type.String()) }, { $id: "TlsAnswer" });
