/**
 * Proposes a style for a link's QR code: colors from the accent and the theme, format and size from the placement.
 * The same request always yields the same proposal. Every pair has a contrast of at least 4.5:1; an accent that is
 * too light is darkened, keeping its hue.
 *
 * `confidence` measures how much the proposal is based on: 40 to begin with, 20 for an accent from the request or the
 * branding, 15 each for a theme and a placement with known words, 10 for a campaign name, and 10 less for each
 * warning.
 */
import { QR_MARGIN, type QrStyle, type QrStyleInput, type QrSwatch } from "@/contract/links/qr";
import { colourOf, contrastOf, PROPOSED_CONTRAST_MIN, shownContrast } from "./colour";
import { colourFrom, darkenedUntil, oklchOf } from "./oklch";
import { ANYWHERE, PLACEMENTS, PLAIN_THEME, type Placement, rowFor, THEMES, type Theme } from "./vocabulary";

export interface StyleQuestion {
  input: QrStyleInput;
  /** Names the proposal if the request names no campaign. */
  subject: string;
  /** The branding's accent. */
  accentColor: string | undefined;
  /** Undefined if no logo was requested. */
  logo: { url: string } | { lacking: string } | undefined;
}

export interface StyleProposal {
  style: Omit<QrStyle, "errorCorrectionLevel">;
  swatches: QrSwatch[];
  confidence: number;
  rationale: string[];
  warnings: string[];
}

interface Accent {
  colour: string;
  from: "request" | "branding" | "theme";
}

const TINT = { lightness: 0.97, chromaMax: 0.02 };
const DEEP_LIGHTNESS_MAX = 0.35;
const POINTS = { start: 40, accent: 20, theme: 15, placement: 15, campaign: 10, warning: -10 };

export function proposeStyle({ input, subject, accentColor, logo }: StyleQuestion): StyleProposal {
  const theme = rowFor(THEMES, input.theme);
  const placement = placementOf(input);
  const accent = accentOf(input.accentColor, accentColor, theme ?? PLAIN_THEME);
  const proposed = pairOf(accent.colour, theme ?? PLAIN_THEME);
  const rationale = [
    accentSentence(accent),
    `${theme ? `The theme is ${theme.name}` : "No theme is known"}: ${proposed.darkColor} on ${proposed.lightColor}.`,
    (placement ?? ANYWHERE).why,
    ...(logo && "url" in logo
      ? ["The logo covers part of the code; the highest error correction compensates for it."]
      : []),
  ];
  const warnings = [
    ...contrastWarnings(tamed(accent.colour, theme ?? PLAIN_THEME), proposed),
    ...wordWarnings(input),
    ...(logo && "lacking" in logo ? [logo.lacking] : []),
  ];
  return {
    style: styleOf(input.campaignName?.trim() || subject, proposed, placement, logo),
    swatches: swatchesOf(accent.colour, proposed),
    confidence: confidenceOf(input, { accent, theme, placement }, warnings),
    rationale,
    warnings,
  };
}

const placementOf = ({ placement, channel, source }: QrStyleInput): Placement | undefined =>
  rowFor(PLACEMENTS, placement) ?? rowFor(PLACEMENTS, channel) ?? rowFor(PLACEMENTS, source);

function accentOf(asked: string | null | undefined, branding: string | undefined, theme: Theme): Accent {
  const [ofRequest, ofBranding] = [asked, branding].map((given) => colourOf(given ?? ""));
  if (ofRequest) return { colour: ofRequest, from: "request" };
  return ofBranding ? { colour: ofBranding, from: "branding" } : { colour: theme.accent, from: "theme" };
}

function accentSentence({ colour, from }: Accent): string {
  if (from === "theme") return `Neither the request nor the branding has an accent color: using ${colour}.`;
  return `The accent ${colour} comes from the ${from}.`;
}

type Pair = Pick<QrStyle, "darkColor" | "lightColor">;

/** Returns a dark color on a light one, never the reverse: many scanners fail on inverted codes. */
function pairOf(accent: string, theme: Theme): Pair {
  const lightColor = theme.ground === "tint" ? tintOf(accent) : theme.ground;
  return { lightColor, darkColor: darkenedUntil(tamed(accent, theme), lightColor, PROPOSED_CONTRAST_MIN) };
}

function tamed(colour: string, { lightnessMax = 1, chromaMax = 1 }: Pick<Theme, "lightnessMax" | "chromaMax">): string {
  const { lightness, chroma, hue } = oklchOf(colour);
  if (lightness <= lightnessMax && chroma <= chromaMax) return colour;
  return colourFrom({ lightness: Math.min(lightness, lightnessMax), chroma: Math.min(chroma, chromaMax), hue });
}

function tintOf(colour: string): string {
  const { chroma, hue } = oklchOf(colour);
  return colourFrom({ lightness: TINT.lightness, chroma: Math.min(chroma, TINT.chromaMax), hue });
}

function contrastWarnings(colour: string, { darkColor, lightColor }: Pair): string[] {
  const contrast = contrastOf(colour, lightColor);
  if (contrast >= PROPOSED_CONTRAST_MIN) return [];
  return [`${colour} on ${lightColor} has a contrast of ${shownContrast(contrast)}:1: using ${darkColor} instead.`];
}

function wordWarnings({ theme, placement }: QrStyleInput): string[] {
  const isUnknown = (text: string | null | undefined, rows: { words: string[] }[]) =>
    text?.trim() && !rowFor(rows, text);
  return [
    ...(isUnknown(theme, THEMES) ? ["No known word in the theme."] : []),
    ...(isUnknown(placement, PLACEMENTS) ? ["No known word in the placement."] : []),
  ];
}

function styleOf(
  subject: string,
  { darkColor, lightColor }: Pair,
  placement: Placement | undefined,
  logo: StyleQuestion["logo"],
): StyleProposal["style"] {
  const { format, width } = placement ?? ANYWHERE;
  const url = logo && "url" in logo ? logo.url : undefined;
  const drawing = { format, dark: darkColor, light: lightColor, width: String(width), ...(url && { logo: url }) };
  return {
    name: placement ? `${subject}, ${placement.name}` : subject,
    darkColor,
    lightColor,
    includeLogo: url !== undefined,
    margin: QR_MARGIN,
    width,
    formatRecommendation: format,
    query: queryOf(drawing),
  };
}

const queryOf = (drawing: Record<string, string>): string =>
  Object.entries(drawing)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

/** Returns the proposed pair first, and each pair of colors only once. */
function swatchesOf(accent: string, proposed: Pair): QrSwatch[] {
  const on = (lightColor: string, colour = accent): Pair => ({
    lightColor,
    darkColor: darkenedUntil(colour, lightColor, PROPOSED_CONTRAST_MIN),
  });
  const named: [name: string, pair: Pair][] = [
    ["Proposed", proposed],
    ["Accent on white", on("#ffffff")],
    ["Accent on its tint", on(tintOf(accent))],
    ["Deep accent on white", on("#ffffff", tamed(accent, { lightnessMax: DEEP_LIGHTNESS_MAX }))],
    ["Black on white", on("#ffffff", "#000000")],
  ];
  const swatches = new Map<string, QrSwatch>();
  for (const [name, pair] of named) {
    const { darkColor, lightColor } = pair;
    const key = `${darkColor} ${lightColor}`;
    const contrast = shownContrast(contrastOf(darkColor, lightColor));
    if (!swatches.has(key)) swatches.set(key, { name, darkColor, lightColor, contrast });
  }
  return [...swatches.values()];
}

interface Known {
  accent: Accent;
  theme: Theme | undefined;
  placement: Placement | undefined;
}

function confidenceOf({ campaignName }: QrStyleInput, { accent, theme, placement }: Known, warnings: string[]): number {
  const points =
    POINTS.start +
    (accent.from === "theme" ? 0 : POINTS.accent) +
    (theme ? POINTS.theme : 0) +
    (placement ? POINTS.placement : 0) +
    (campaignName?.trim() ? POINTS.campaign : 0) +
    POINTS.warning * warnings.length;
  return Math.min(100, Math.max(0, points));
}
