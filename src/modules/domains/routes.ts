import { Elysia } from "elysia";
import {
  ConfigurationQuery,
  DashboardHostingInput,
  DOMAINS_MAX,
  Domain,
  DomainConfiguration,
  DomainInput,
  DomainList,
  DomainListQuery,
  DomainUpdate,
  TlsAnswer,
  TlsQuery,
} from "@/contract/domains";
import { Deleted } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { notFound } from "@/http/errors";
import { CHANGES_TAGGED, ifMatchOf } from "@/http/headers/entity-tag";
import type { DomainService } from "./service";

export const domainRoutes = (domains: DomainService, ipOf: (request: Request) => string | null, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/domains", tags: ["Domains"] })
    .use(guard)
    .get("", ({ tenant, query }) => domains.list(tenant, query.page, query.limit), {
      member: { role: "viewer", scopes: ["read", "manage"] },
      query: DomainListQuery,
      response: { 200: DomainList, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listDomains",
        summary: "List domains",
        description: "Returns a plain array of the organization's domains, newest first.",
      },
    })
    .post("", async ({ tenant, body, once, status }) => status(201, await domains.create(tenant, body, once)), {
      member: { role: "admin", scopes: ["manage"] },
      repeatable: "plain",
      body: DomainInput,
      response: { 201: Domain, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "createDomain",
        summary: "Add a domain",
        description:
          "The domain's `configuration` lists the DNS records to create. You can create links on the domain once it is " +
          "verified. You can add a host that another organization has verified, and verify it once that verification has " +
          `ended. An organization can have up to ${DOMAINS_MAX.toLocaleString("en")} domains, or fewer if its plan says so.`,
      },
    })
    .get("/:domainId", ({ tenant, params }) => domains.get(tenant, params.domainId), {
      member: { role: "viewer", scopes: ["read", "manage"] },
      response: { 200: Domain, ...failures(401, 403, 404) },
      detail: {
        operationId: "getDomain",
        summary: "Get a domain",
        description: "Returns the same record as the list.",
      },
    })
    .get(
      "/:domainId/configuration",
      ({ tenant, params, query, request }) => {
        const asking = query.check ? { headers: request.headers, ip: ipOf(request) } : undefined;
        return domains.configuration(tenant, params.domainId, asking);
      },
      {
        member: { role: "viewer", scopes: ["read", "manage"] },
        query: ConfigurationQuery,
        response: { 200: DomainConfiguration, ...failures(400, 401, 403, 404) },
        detail: {
          operationId: "getDomainConfiguration",
          summary: "Get the DNS records a domain needs",
          description:
            "Looks the records up on each request. The TXT record proves that you control the host; verification needs it. " +
            "The CNAME record (A and AAAA for an apex domain) points visitors here; it is optional, since a proxy in front of " +
            "the host may respond with its own addresses. `check=true` also tests the host the way a phone would and says how " +
            "to fix problems.",
        },
      },
    )
    .post("/:domainId/verify", ({ tenant, params }) => domains.verify(tenant, params.domainId), {
      member: { role: "admin", scopes: ["manage"] },
      response: { 200: Domain, ...failures(400, 401, 403, 404, 409, 413, 415, 503) },
      detail: {
        operationId: "verifyDomain",
        summary: "Verify a domain",
        description:
          "Without the TXT record, the response has `isVerified: false`, and `verification` says what is missing. Verified " +
          "domains are checked again every day; after three days without the record the verification ends, and the domain's " +
          "links stop working. Only one organization can have a host verified (409). Returns 503 if DNS does not respond.",
      },
    })
    .patch(
      "/:domainId/dashboard",
      ({ tenant, params, body, request }) => domains.hostDashboard(tenant, params.domainId, body, ifMatchOf(request)),
      {
        member: { role: "admin", scopes: ["manage"] },
        body: DashboardHostingInput,
        response: { 200: Domain, ...failures(400, 401, 403, 404, 409, 412, 413, 415) },
        detail: {
          ...CHANGES_TAGGED,
          operationId: "updateDomainDashboard",
          summary: "Update a domain's dashboard hosting",
          description:
            "Omitted fields keep their value. `isPrimary` clears the flag on the organization's other domains. Without a " +
            "verification, both can only be turned off. A dashboard host also serves the API and its reference, so their paths (`/app`, `/api`, `/docs`, `/login` and so on) cannot " +
            "be short URLs there: returns 409 while links or bio pages use them.",
        },
      },
    )
    .patch(
      "/:domainId",
      ({ tenant, params, body, request }) => domains.redirect(tenant, params.domainId, body, ifMatchOf(request)),
      {
        member: { role: "admin", scopes: ["manage"] },
        body: DomainUpdate,
        response: { 200: Domain, ...failures(400, 401, 403, 404, 409, 412, 413, 415) },
        detail: {
          ...CHANGES_TAGGED,
          operationId: "updateDomain",
          summary: "Update where a domain's visitors go without a link",
          description:
            "`redirects` is replaced as a whole, and null clears it. It applies while the domain is verified. All visitors get the same 302, whatever they accept; apps " +
            "that call `resolve` still get 404 or 410. Such visits are not clicks; they count as unserved. `root` does not apply " +
            "while the domain serves the dashboard. URLs on the domain itself are refused, since they could lead visitors in a " +
            "circle, and so are unsafe ones.",
        },
      },
    )
    .delete(
      "/:domainId",
      ({ tenant, params, request }) => domains.remove(tenant, params.domainId, ifMatchOf(request)),
      {
        member: { role: "admin", scopes: ["manage"] },
        response: { 200: Deleted, ...failures(400, 401, 403, 404, 409, 412) },
        detail: {
          ...CHANGES_TAGGED,
          operationId: "deleteDomain",
          summary: "Delete a domain",
          description: "Returns 409 while the domain has live links. Deleted links keep their figures.",
        },
      },
    );

/**
 * For proxies that obtain certificates on demand. Responds from memory, so it works while dependencies are
 * unavailable.
 */
export const tlsRoutes = (isServed: (hostname: string) => boolean, guard: Guard) =>
  new Elysia({ prefix: "/internal/tls", tags: ["Service"] }).use(guard).get(
    "/ask",
    ({ query }) => {
      if (!isServed(query.domain)) throw notFound("host");
      return { domain: query.domain };
    },
    {
      operator: true,
      query: TlsQuery,
      response: { 200: TlsAnswer, ...failures(400, 401, 404) },
      detail: {
        operationId: "askTls",
        summary: "Check whether this service handles a host",
        description:
          "The endpoint for Caddy's `on_demand_tls.ask`: 200 for verified hosts and the service's own, otherwise 404.",
      },
    },
  );
