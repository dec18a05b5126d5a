/**
 * Opens what is served where: links and verified hosts. Each needs the other: the link cache leaves out links whose
 * path is our own on their host, and hosts learn of changes by the same way as links.
 */
import type { Config } from "@/config";
import { type Links, type LinksOptions, openLinks } from "../link-cache/open";
import { type HostDirectory, openHosts } from "./hosts";
import { createOwnHosts, type OwnHosts } from "./own-hosts";

export interface Routing extends AsyncDisposable {
  links: Links;
  hosts: HostDirectory;
  ownHosts: OwnHosts;
}

export interface RoutingOptions extends Omit<LinksOptions, "isHidden" | "redisUrl" | "cacheBytesMax"> {
  config: Config;
}

/** Rejects as `openLinks` does, and if the hosts cannot be read. */
export async function openRouting({ config, ...parts }: RoutingOptions): Promise<Routing> {
  const { redisUrl, linkCacheBytesMax: cacheBytesMax } = config;
  const { database, log } = parts;
  await using opening = new AsyncDisposableStack();
  const links = opening.use(
    await openLinks({ ...parts, redisUrl, cacheBytesMax, isHidden: (address) => ownHosts.hides(address) }),
  );
  const hosts = opening.use(await openHosts({ sql: database.sql, onOrganization: links.onOrganization, log }));
  const ownHosts: OwnHosts = createOwnHosts({ config, hosts });
  const opened = opening.move();
  return { links, hosts, ownHosts, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
