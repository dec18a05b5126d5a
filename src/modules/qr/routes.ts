/** Routes for QR codes: requests with an API key get SVG and PDF as files, requests with a session as data URLs. */
import { Elysia } from "elysia";
import {
  QrCodeFile,
  QrCodeQuery,
  QrCodeQueryWithAlias,
  QrCodeResponse,
  type QrFormat,
  QrStyleInput,
  QrStyleResponse,
} from "@/contract/links/qr";
import type { Guard } from "@/http/access";
import { attachment } from "@/http/csv";
import { failures } from "@/http/document/openapi-responses";
import type { DrawnQr, QrService } from "./service";

const MEDIA_TYPES: Record<QrFormat, string> = {
  png: "image/png",
  svg: "image/svg+xml",
  pdf: "application/pdf",
};

const ABOUT =
  "Codes have a quiet zone of four modules. Error correction is M in a PNG, Q in SVG and PDF, less if a long short " +
  "URL needs the room, and H with a logo. Colors that scanners cannot distinguish are refused, and so is a " +
  "`light` darker than `dark`.";

export const apiKeyQrRoutes = (qr: QrService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/links/:linkId/qrcode", tags: ["Server API"] })
    .use(guard)
    .get("", async ({ tenant, params, query }) => byApiKey(await qr.draw(tenant, params.linkId, query)), {
      apiKey: "qr:read",
      query: QrCodeQuery,
      response: { 200: QrCodeResponse, 206: QrCodeFile, ...failures(400, 401, 403, 404, 503) },
      detail: {
        operationId: "getLinkQrCodeWithApiKey",
        summary: "Get a link's QR code with an API key",
        description: `${ABOUT} SVG and PDF return 206 with the whole file, whatever range you request.`,
      },
    });

export const organizationQrRoutes = (qr: QrService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links/:linkId/qrcode", tags: ["QR codes"] })
    .use(guard)
    .get("", async ({ tenant, params, query }) => inJson(await qr.draw(tenant, params.linkId, query)), {
      member: { role: "viewer", scopes: ["read", "links"] },
      query: QrCodeQueryWithAlias,
      response: { 200: QrCodeResponse, ...failures(400, 401, 403, 404, 503) },
      detail: {
        operationId: "getLinkQrCode",
        summary: "Get a link's QR code",
        description: `${ABOUT} SVG and PDF are also returned in \`qrCodeDataUrl\`.`,
      },
    })
    .post("/style", ({ tenant, params, body }) => qr.propose(tenant, params.linkId, body), {
      member: { role: "viewer", scopes: ["read", "links"], isOptional: true },
      body: QrStyleInput,
      response: { 200: QrStyleResponse, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "proposeQrCodeStyle",
        summary: "Generate a style for a link's QR code",
        description:
          "Based on the branding, the theme and the placement; every pair of colors has a contrast of at least 4.5:1. " +
          "Changes nothing.",
      },
    });

const inJson = ({ link, format, bytes }: DrawnQr): QrCodeResponse => ({
  qrCodeDataUrl: `data:${MEDIA_TYPES[format]};base64,${Buffer.from(bytes).toString("base64")}`,
  shortUrl: link.shortUrl,
});

function byApiKey(drawn: DrawnQr): Response {
  const { link, format, bytes } = drawn;
  if (format === "png") return Response.json(inJson(drawn));
  return new Response(new Uint8Array(bytes), {
    status: 206,
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": attachment(`qr-${link.slug}.${format}`),
      "content-range": `bytes 0-${bytes.length - 1}/${bytes.length}`,
    },
  });
}
