/**
 * Logos for the middle of QR codes: fetched from the customer's URL, decoded in a separate process, and cached
 * (`Refreshed`). A logo that could not be fetched is tried again on each request, and a stale one is never used
 * instead.
 *
 * Bounds: `FETCHES_MAX` concurrent fetches and `WAITING_MAX` waiting, of which one organization has at most
 * `OF_ONE_MAX` in total, so that one customer's slow hosts do not block others; beyond that, 503. One fetch per URL;
 * `KEPT_MAX` logos in memory for `KEPT_MS`. A crash loses nothing that cannot be fetched again.
 */
import type { OrgId } from "@/core/ids";
import { unavailable } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import { limitFairly } from "@/platform/concurrency";
import { ImageError, iconOf } from "@/platform/images/images";
import { type Outbound, OutboundError } from "@/platform/outbound/outbound";
import { Refreshed } from "@/platform/refreshed";

export interface Logos {
  /** Returns a PNG of 256 by 256 pixels. Throws `LogoError`, and 503 while too many logos are being fetched. */
  at(orgId: OrgId, url: string): Promise<Uint8Array>;
}

/** Its message describes the fault, and is meant to follow a field's name. */
export class LogoError extends Error {
  override name = "LogoError";
}

const FETCHES_MAX = 6;
const WAITING_MAX = 6;
const OF_ONE_MAX = 3;
const KEPT_MAX = 64;
const KEPT_MS = 300_000;

const IMAGE_BYTES_MAX = 2 * 1024 * 1024;
const IMAGE_MS = 6_000;
const REDIRECTS_MAX = 3;

export function createLogos({ outbound, clock }: { outbound: Pick<Outbound, "request">; clock: Clock }): Logos {
  const limited = limitFairly({
    runningMax: FETCHES_MAX,
    waitingMax: WAITING_MAX,
    ofOneMax: OF_ONE_MAX,
    refusal: tooMany,
  });
  const logos = new Refreshed<{ orgId: OrgId; url: string }, Uint8Array>({
    keyOf: ({ url }) => url,
    load: ({ orgId, url }) => limited(orgId, () => fetched(url)),
    clock,
    freshMs: KEPT_MS,
    loadsMax: FETCHES_MAX + WAITING_MAX,
    refusal: tooMany,
    weightMax: KEPT_MAX,
  });

  return { at: (orgId, url) => logos.of({ orgId, url }) };

  async function fetched(url: string): Promise<Uint8Array> {
    try {
      const { status, body } = await outbound.request(url, {
        headers: { accept: "image/*" },
        bytesMax: IMAGE_BYTES_MAX,
        totalMs: IMAGE_MS,
        redirectsMax: REDIRECTS_MAX,
      });
      if (status !== 200) throw new LogoError(`the image's host returned ${status}`);
      return await iconOf(body);
    } catch (error) {
      // The exact reason would reveal what exists in networks that the caller cannot reach.
      if (error instanceof OutboundError) throw new LogoError("could not fetch the image");
      if (error instanceof ImageError) throw new LogoError("expected a PNG, JPEG, WebP, GIF, AVIF or SVG image");
      throw error;
    }
  }
}

const tooMany = () => unavailable("Too many logos are being fetched; try again shortly");
