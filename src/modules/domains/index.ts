import { Elysia } from "elysia";
import type { Config } from "@/config";
import { comparedHostname, hostnameOf } from "@/core/names/hostname";
import type { Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import type { HostDirectory } from "@/platform/hosts/hosts";
import type { Outbound } from "@/platform/outbound/outbound";
import { createAppConfigService } from "./app-config";
import { appConfigRoutes } from "./app-config-routes";
import { createDoctor } from "./doctor";
import { domainRoutes, tlsRoutes } from "./routes";
import { createDomainService, type DomainServiceOptions } from "./service";

export interface DomainParts extends Omit<DomainServiceOptions, "serviceHost" | "ownHosts" | "checkHost" | "proxies"> {
  config: Pick<Config, "baseUrl" | "shortDomain" | "dashboardUrl" | "trustedProxies" | "clientIpHeader">;
  callerOf: CallerOf;
  hosts: HostDirectory;
  outbound: Pick<Outbound, "request">;
}

export function domainModule({ config, hosts, outbound, callerOf, ...parts }: DomainParts, guard: Guard) {
  const serviceHost = hostnameOf(config.baseUrl);
  const servedHosts = [serviceHost, hostnameOf(`http://${config.shortDomain}`)];
  const isServed = (host: string) => servedHosts.includes(comparedHostname(host)) || hosts.of(host) !== undefined;
  const ownHosts = [...servedHosts, hostnameOf(config.dashboardUrl)];
  const checkHost = createDoctor({ outbound, clock: parts.clock });
  const options = { ...parts, serviceHost, ownHosts, checkHost, proxies: config };
  return new Elysia()
    .use(domainRoutes(createDomainService(options), (request) => callerOf(request).ip, guard))
    .use(appConfigRoutes(createAppConfigService(parts), guard))
    .use(tlsRoutes(isServed, guard));
}
