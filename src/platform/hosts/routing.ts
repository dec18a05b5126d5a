/**
 * What is served where: links and verified hosts. Each needs the other: the link cache leaves out what is our own path on a
 * host, and hosts hear of changes by the links' way.
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

/** Rejects as `openLinks`, and when hosts cannot be read. */
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
