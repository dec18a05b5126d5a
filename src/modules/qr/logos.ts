/**
 * Logos for the middle of codes: fetched from where a customer says, decoded in a process of its own, kept for a while.
 * One that could not be had is tried anew each time it is asked for.
 *
 * Bounds: `FETCHES_MAX` at once and `WAITING_MAX` who wait for their turn, of one organization `OF_ONE_MAX` in all, so that
 * a few slow hosts of one customer do not stand in the others' way; past them there is 503. One fetch per URL; `KEPT_MAX`
 * logos in memory for `KEPT_MS`. A crash loses nothing that is not fetched again.
 */
import type { OrgId } from "@/core/ids";
import { unavailable } from "@/http/errors";
import { createBoundedMap } from "@/platform/bounded-map";
import type { Clock } from "@/platform/clock";
import { ImageError, iconOf } from "@/platform/images/images";
import { type Outbound, OutboundError } from "@/platform/outbound/outbound";
import { createTurns } from "@/platform/turns";

export interface Logos {
  /** Returns a PNG of 256 pixels square. Throws `LogoError`, and 503 while too many are fetched. */
  at(orgId: OrgId, url: string): Promise<Uint8Array>;
}

/** Its message says what is wrong, to be put behind a field's name. */
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
  const kept = createBoundedMap<string, { png: Uint8Array; until: number }>(KEPT_MAX);
  const fetches = new Map<string, { orgId: OrgId; logo: Promise<Uint8Array> }>();
  const inTurn = createTurns({ runningMax: FETCHES_MAX, waitingMax: WAITING_MAX, refusal: tooMany });

  return {
    async at(orgId, url) {
      const known = kept.get(url);
      if (known && clock() < known.until) return known.png;
      const running = fetches.get(url);
      if (running) return running.logo;
      if (fetchesOf(orgId) >= OF_ONE_MAX) throw tooMany();
      const logo = inTurn(() => fetched(url)).finally(() => fetches.delete(url));
      fetches.set(url, { orgId, logo });
      const png = await logo;
      kept.set(url, { png, until: clock() + KEPT_MS });
      return png;
    },
  };

  function fetchesOf(orgId: OrgId): number {
    return fetches.values().reduce((count, fetch) => count + Number(fetch.orgId === orgId), 0);
  }

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
      // Why exactly would tell what stands in networks that the caller does not reach.
      if (error instanceof OutboundError) throw new LogoError("could not fetch the image");
      if (error instanceof ImageError) throw new LogoError("expected a PNG, JPEG, WebP, GIF, AVIF or SVG image");
      throw error;
    }
  }
}

const tooMany = () => unavailable("Too many logos are being fetched; try again shortly");
