/** Reads the lines of an archive. */
import { ARCHIVE_FORMAT, ARCHIVE_VERSION } from "./tables";
import type { ExpiredClicks } from "./write";

/** Says in one sentence why an archive cannot be restored. */
export class ArchiveFault extends Error {
  override name = "ArchiveFault";
}

export interface Manifest {
  organizationId: string;
  sharedDomainId: string | null;
  expiredClicks: ExpiredClicks | undefined;
}

/** Throws `ArchiveFault`. */
export function manifestOf(text: string): Manifest {
  const { format, version, organizationId, sharedDomainId, expiredClicks } = rowOf(text);
  if (format !== ARCHIVE_FORMAT || typeof organizationId !== "string") {
    throw new ArchiveFault("This is not an archive of an organization");
  }
  if (version !== ARCHIVE_VERSION) throw new ArchiveFault(`Archive version ${version} is not supported`);
  return {
    organizationId,
    sharedDomainId: typeof sharedDomainId === "string" ? sharedDomainId : null,
    expiredClicks: expiredClicksOf(expiredClicks),
  };
}

/** Archives of earlier releases do not have them. */
function expiredClicksOf(value: unknown): ExpiredClicks | undefined {
  const { count, before }: Record<string, unknown> = Object(value);
  return typeof count === "number" && typeof before === "string" ? { count, before } : undefined;
}

/** Throws `ArchiveFault`. */
export function rowOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value));
  } catch {
    // Reported below.
  }
  throw new ArchiveFault("A line in the archive is not a JSON object");
}
