/**
 * Maps words to styles: those of a theme to colors, those of a placement to format and size. Both tables are searched
 * from the top; the first row with a word from the text wins.
 */
import type { QrFormat } from "@/contract/links/qr";

export interface Theme {
  name: string;
  words: string[];
  /** Background color; `tint` means a very light tone of the accent. */
  ground: string;
  /** Used if there is no other accent. */
  accent: string;
  /** Upper limits of the modules' lightness (0 to 1) and chroma, in OKLCH. */
  lightnessMax?: number;
  chromaMax?: number;
}

export interface Placement {
  name: string;
  words: string[];
  format: QrFormat;
  /** Pixels. */
  width: number;
  why: string;
}

const INK = "#111827";

export const PLAIN_THEME: Theme = { name: "plain", words: [], ground: "#ffffff", accent: INK };

export const THEMES: Theme[] = [
  {
    name: "dark",
    words: ["dark", "night", "midnight", "black", "noir"],
    ground: "#f5f7fa",
    accent: INK,
    lightnessMax: 0.3,
  },
  {
    name: "minimal",
    words: ["minimal", "minimalist", "minimalistic", "clean", "simple", "plain", "mono", "monochrome"],
    ground: "#ffffff",
    accent: INK,
    lightnessMax: 0.25,
    chromaMax: 0,
  },
  {
    name: "elegant",
    words: ["elegant", "luxury", "luxurious", "premium", "classic", "gold", "wedding"],
    ground: "#fdfaf3",
    accent: "#3b2f1e",
    lightnessMax: 0.35,
  },
  {
    name: "warm",
    words: ["warm", "autumn", "fall", "sunset", "sunny", "cosy", "cozy", "summer"],
    ground: "#fff7ed",
    accent: "#9a3412",
  },
  {
    name: "cool",
    words: ["cool", "cold", "winter", "ice", "ocean", "sea", "water", "tech"],
    ground: "#f0f9ff",
    accent: "#075985",
  },
  {
    name: "natural",
    words: ["natural", "nature", "green", "eco", "organic", "garden", "spring", "forest"],
    ground: "#f2fbf3",
    accent: "#166534",
  },
  { name: "pastel", words: ["pastel", "soft", "gentle", "light", "baby"], ground: "tint", accent: "#5b4b8a" },
  {
    name: "bold",
    words: ["bold", "vibrant", "bright", "vivid", "neon", "playful", "colorful", "colourful"],
    ground: "#ffffff",
    accent: "#1d4ed8",
  },
];

export const ANYWHERE: Placement = {
  name: "anywhere",
  words: [],
  format: "png",
  width: 1024,
  why: "No known placement: a PNG of 1,024 pixels suits most uses.",
};

export const PLACEMENTS: Placement[] = [
  {
    name: "outdoors",
    words: ["outdoor", "outdoors", "billboard", "banner", "vehicle", "storefront", "window", "facade", "ooh"],
    format: "pdf",
    width: 4096,
    why: "Outdoor codes are read from a distance and weather: PDF, which prints at any size.",
  },
  {
    name: "poster",
    words: ["poster", "posters", "placard", "rollup"],
    format: "pdf",
    width: 2048,
    why: "Posters are printed large: PDF.",
  },
  {
    name: "packaging",
    words: ["packaging", "package", "box", "bottle", "product", "carton"],
    format: "svg",
    width: 1200,
    why: "Packaging is laid out with other artwork: SVG, which drawing programs import.",
  },
  {
    name: "sticker",
    words: ["sticker", "stickers", "label", "labels", "tag", "decal"],
    format: "svg",
    width: 1024,
    why: "Stickers are cut from artwork: SVG, which drawing programs import.",
  },
  {
    name: "card",
    words: ["card", "cards", "badge", "ticket", "voucher", "receipt"],
    format: "svg",
    width: 600,
    why: "Cards are small and laid out with type: SVG, which stays sharp.",
  },
  {
    name: "print",
    words: [
      ...["flyer", "flyers", "leaflet", "brochure", "print", "printed", "menu", "magazine", "newspaper"],
      ...["catalogue", "catalog", "table", "letter", "mailing", "paper"],
    ],
    format: "pdf",
    width: 1200,
    why: "For print: PDF.",
  },
  {
    name: "email",
    words: ["email", "mail", "newsletter"],
    format: "png",
    width: 480,
    why: "Mail programs show PNG, and a small one loads fast.",
  },
  {
    name: "social media",
    words: [
      ...["social", "instagram", "facebook", "tiktok", "linkedin", "x", "twitter", "pinterest", "snapchat"],
      ...["youtube", "whatsapp", "story", "post", "reel"],
    ],
    format: "png",
    width: 1080,
    why: "Social networks accept PNG, at most 1,080 pixels.",
  },
  {
    name: "screen",
    words: ["screen", "web", "website", "app", "presentation", "slide", "slides", "tv", "display", "kiosk", "online"],
    format: "png",
    width: 1024,
    why: "Screens show PNG.",
  },
];

/** Returns the first row with one of the text's words. */
export function rowFor<Row extends { words: string[] }>(rows: Row[], text: string | null | undefined): Row | undefined {
  const words = new Set(
    (text ?? "")
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll("e-mail", "email")
      .match(/\p{L}+/gu),
  );
  return rows.find((row) => row.words.some((word) => words.has(word)));
}
