/**
 * Draws QR codes of links on request; nothing is cached except logos (`logos.ts`). `DRAWN_MAX` are drawn at a time and
 * `WAITING_MAX` wait, of which one organization has at most `OF_ONE_MAX` in total, so that a client that downloads
 * many does not block others; beyond that, 503.
 */
import type { Link } from "@/contract/links/links";
import {
  QR_WIDTH,
  type QrCodeQuery,
  type QrFormat,
  type QrStyleInput,
  type QrStyleResponse,
} from "@/contract/links/qr";
import type { Tenant } from "@/core/ids";
import { colourOf, pairFault } from "@/core/qr/colour";
import { levelsFor } from "@/core/qr/level";
import { proposeStyle, type StyleQuestion } from "@/core/qr/style";
import { HttpError, invalid, unavailable } from "@/http/errors";
import type { LinkService } from "@/modules/links/service";
import type { OrganizationService } from "@/modules/organizations/service";
import type { Clock } from "@/platform/clock";
import { limitFairly } from "@/platform/concurrency";
import type { Outbound } from "@/platform/outbound/outbound";
import { drawQr, type QrCode, qrCodeOf, widthNeeded } from "@/platform/qr/qr";
import { createLogos, LogoError } from "./logos";
import { linkWarnings } from "./warnings";

export interface QrOptions {
  links: Pick<LinkService, "get">;
  organizations: Pick<OrganizationService, "get">;
  outbound: Pick<Outbound, "request">;
  clock: Clock;
}

export interface DrawnQr {
  link: Link;
  format: QrFormat;
  bytes: Uint8Array;
}

export type QrService = ReturnType<typeof createQrService>;

const DRAWN_MAX = 2;
const WAITING_MAX = 32;
const OF_ONE_MAX = 16;

export function createQrService({ links, organizations, outbound, clock }: QrOptions) {
  const logos = createLogos({ outbound, clock });
  const limited = limitFairly({
    runningMax: DRAWN_MAX,
    waitingMax: WAITING_MAX,
    ofOneMax: OF_ONE_MAX,
    refusal: () => unavailable("The QR code service is busy; try again shortly"),
  });

  return {
    /**
     * Throws 400 for colors, a width or a logo that would make the code unreadable, 404, and 503 if there are too many
     * requests.
     */
    async draw(tenant: Tenant, linkId: string, query: QrCodeQuery): Promise<DrawnQr> {
      const look = lookOf(query);
      const link = await links.get(tenant, linkId);
      const { format, width } = look;
      const code = await codeOf(link, format, look.logo?.field);
      const needed = widthNeeded(code);
      if (format === "png" && width < needed)
        throw invalid([`width: this link's code needs at least ${needed} pixels`]);
      const logo = look.logo && (await logoOf(tenant, look.logo));
      const bytes = await limited(tenant.orgId, () => drawQr(code, { ...look, title: link.shortUrl, logo }));
      return { link, format, bytes };
    },

    /** Throws 400 for a short URL that is too long for any code, and 404. */
    async propose(tenant: Tenant, linkId: string, input: QrStyleInput): Promise<QrStyleResponse> {
      const link = await links.get(tenant, linkId);
      const { branding } = await organizations.get(tenant);
      const subject = link.title ?? link.slug;
      const logo = input.includeLogo === true ? await usableLogo(tenant, link, branding.logoUrl) : undefined;
      const { style, ...proposal } = proposeStyle({ input, subject, accentColor: branding.accentColor, logo });
      const { _id, title, slug, shortUrl } = link;
      const { level } = await codeOf(link, style.formatRecommendation, style.includeLogo ? "logo" : undefined);
      return {
        generatedAt: new Date(clock()).toISOString(),
        link: { _id, title, slug, shortUrl },
        style: { ...style, errorCorrectionLevel: level },
        ...proposal,
        warnings: [...proposal.warnings, ...linkWarnings(link, clock())],
      };
    },
  };

  async function logoOf({ orgId }: Tenant, { field, url }: AskedLogo): Promise<Uint8Array> {
    try {
      return await logos.at(orgId, url);
    } catch (error) {
      throw error instanceof LogoError ? invalid([`${field}: ${error.message}`]) : error;
    }
  }

  /** Fetches the logo, so that the proposed query is known to work. */
  async function usableLogo({ orgId }: Tenant, link: Link, url: string | undefined): Promise<StyleQuestion["logo"]> {
    if (!url) return { lacking: "The organization's branding has no logo." };
    if (!(await qrCodeOf(link.shortUrl, levelsFor("png", true))))
      return { lacking: "The short URL is too long for a code with a logo." };
    try {
      await logos.at(orgId, url);
      return { url };
    } catch (error) {
      if (error instanceof LogoError) return { lacking: `The branding's logo was left out: ${error.message}.` };
      if (error instanceof HttpError) return { lacking: "The branding's logo could not be checked just now." };
      throw error;
    }
  }
}

interface AskedLogo {
  field: "logo" | "logoUrl";
  url: string;
}

interface Look {
  format: QrFormat;
  dark: string;
  light: string;
  width: number;
  logo: AskedLogo | undefined;
}

/** Throws 400 with every fault. */
function lookOf(query: QrCodeQuery): Look {
  const { format = "png", width = QR_WIDTH.usual, logo, logoUrl } = query;
  const dark = colourOf(query.dark ?? "#000000");
  const light = colourOf(query.light ?? "#ffffff");
  if (!dark || !light) throw new Error("An invalid color passed validation");
  const fault = pairFault(dark, light);
  const faults = fault ? [`${query.dark === undefined ? "light" : "dark"}: ${fault}`] : [];
  if (logo !== undefined && logoUrl !== undefined && logo !== logoUrl) faults.push("logoUrl: differs from logo");
  if (faults.length > 0) throw invalid(faults);
  return { format, dark, light, width, logo: askedLogo("logo", logo) ?? askedLogo("logoUrl", logoUrl) };
}

const askedLogo = (field: AskedLogo["field"], url: string | undefined): AskedLogo | undefined =>
  url === undefined || url === "none" ? undefined : { field, url };

/** Throws 400 for a short URL that is too long. */
async function codeOf({ shortUrl }: Link, format: QrFormat, logoField: string | undefined): Promise<QrCode> {
  const code = await qrCodeOf(shortUrl, levelsFor(format, logoField !== undefined));
  if (code) return code;
  if (logoField) throw invalid([`${logoField}: the short URL is too long for a code with a logo`]);
  throw invalid(["linkId: the link's short URL is too long for a QR code"]);
}
