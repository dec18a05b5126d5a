/** QR codes of links, and proposals for their style. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { flag, id, instant, nullable, oneOf, optional, queryInteger, shape, text, withExample } from "../schema";

export const QR_FORMATS = ["png", "svg", "pdf"] as const;
export type QrFormat = (typeof QR_FORMATS)[number];

/** Error correction levels: about 7, 15, 25 and 30 % of the code may be damaged (ISO/IEC 18004). */
export const QR_LEVELS = ["L", "M", "Q", "H"] as const;
export type QrLevel = (typeof QR_LEVELS)[number];

export const QR_WIDTH = { min: 64, max: 4_096, usual: 512 } as const;
/** Width of the quiet zone that a code needs around it, in modules (ISO/IEC 18004, 5.3.8). */
export const QR_MARGIN = 4;

const COLOUR = "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$";
const colour = (example: string, description: string) =>
  t.String({ pattern: COLOUR, description, examples: [example], error: "expected a color like %231f4fd8 or 1f4fd8" });

const logo = (description: string) =>
  optional({ ...text(2_048, 1, description), error: "expected a URL or none, of at most 2,048 characters" });

const drawing = {
  format: optional(oneOf(QR_FORMATS, "Defaults to `png`")),
  dark: optional(
    colour("#1f4fd8", "Color of the modules: `#rgb` or `#rrggbb`, with `#` as `%23` or omitted; defaults to black"),
  ),
  light: optional(
    colour(
      "#ffffff",
      "Background color in the same format; defaults to white. Must be lighter than `dark`, with a contrast of at least " +
        "3:1",
    ),
  ),
  width: optional(
    queryInteger(
      "width",
      QR_WIDTH.min,
      QR_WIDTH.max,
      `Pixels, including the quiet zone; defaults to ${QR_WIDTH.usual}. In a PDF, 96 of them are an inch`,
    ),
  ),
  logo: logo("URL of an image for the center, or `none`, which is the default"),
};

export const QrCodeQuery = t.Object(drawing);
export const QrCodeQueryWithAlias = t.Object({ ...drawing, logoUrl: logo("Alias of `logo`") });
export type QrCodeQuery = Static<typeof QrCodeQueryWithAlias>;

const PNG_DATA_URL = "data:image/png;base64,iVBORw0KGgo=";

export const QrCodeResponse = shape(
  {
    qrCodeDataUrl: withExample(PNG_DATA_URL, Type.String()),
    shortUrl: withExample("https://go.example.com/spring", Type.String({ description: "The URL encoded in the code" })),
  },
  { $id: "QrCodeResponse" },
);
export type QrCodeResponse = Static<typeof QrCodeResponse>;

export const QrCodeFile = Type.String({ contentMediaType: "application/octet-stream" });

const hint = (example: string, description: string) =>
  optional(nullable(withExample(example, text(200, 0, description))));

export const QrStyleInput = shape(
  {
    campaignName: hint("Spring sale", "Names the style; defaults to the link's title or slug"),
    source: hint("newsletter", "Used if neither `placement` nor `channel` suggests a placement"),
    channel: hint("print", "Used if `placement` suggests none"),
    theme: hint("warm", "In your own words, like dark, minimal, warm, cool, natural, pastel or elegant"),
    placement: hint(
      "poster",
      "Where the code will be used, in your own words, like poster, sticker, packaging or email",
    ),
    accentColor: optional(
      nullable(
        withExample(
          "#1f4fd8",
          Type.String({
            pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$",
            description: "`#rgb` or `#rrggbb`; defaults to the branding's",
            error: "expected a color like #1f4fd8",
          }),
        ),
      ),
    ),
    includeLogo: optional(nullable(flag("Put the branding's logo in the center; defaults to false"))),
  },
  { $id: "QrStyleInput" },
);
export type QrStyleInput = Static<typeof QrStyleInput>;

const pair = {
  name: withExample("Brand on white", Type.String()),
  darkColor: withExample("#1f4fd8", Type.String()),
  lightColor: withExample("#ffffff", Type.String()),
};

export const QrSwatch = shape(
  { ...pair, contrast: withExample(6.62, Type.Number({ description: "WCAG 2.2 contrast ratio, as x:1" })) },
  { $id: "QrSwatch" },
);
export type QrSwatch = Static<typeof QrSwatch>;

export const QrStyle = shape(
  {
    ...pair,
    name: withExample("Spring sale, poster", Type.String()),
    includeLogo: withExample(false, Type.Boolean()),
    errorCorrectionLevel: withExample("Q", oneOf(QR_LEVELS, "The correction level the code will have")),
    margin: withExample(QR_MARGIN, Type.Integer({ description: "Quiet zone in modules" })),
    width: withExample(2048, Type.Integer({ description: "Pixels" })),
    formatRecommendation: withExample("pdf", oneOf(QR_FORMATS)),
    query: withExample(
      "format=pdf&dark=%231f4fd8&light=%23ffffff&width=2048",
      Type.String({ description: "Query string for either QR code operation that draws this style" }),
    ),
  },
  { $id: "QrStyle" },
);
export type QrStyle = Static<typeof QrStyle>;

export const QrStyleResponse = shape(
  {
    generatedAt: instant(),
    link: shape({
      _id: id(),
      title: optional(withExample("Spring sale", Type.String())),
      slug: withExample("spring", Type.String()),
      shortUrl: withExample("https://go.example.com/spring", Type.String()),
    }),
    style: QrStyle,
    swatches: Type.Array(QrSwatch, { description: "Color pairs to choose from, the suggested one first" }),
    confidence: withExample(90, Type.Integer({ minimum: 0, maximum: 100, description: "Confidence, 0–100" })),
    rationale: withExample(["Posters are printed large: PDF."], Type.Array(Type.String())),
    warnings: withExample([], Type.Array(Type.String())),
  },
  { $id: "QrStyleResponse" },
);
export type QrStyleResponse = Static<typeof QrStyleResponse>;
