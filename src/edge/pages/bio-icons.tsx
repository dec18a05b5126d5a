/**
 * The icons of a bio page's items: the service's own shapes by name, brand icons by the brand's name, else the name's
 * first character.
 */
import { letterOf } from "@/pages/brand-header";
import brands from "./brand-icons.json";

/** Drawn with a line width of 2 in a 24 × 24 box. */
const SHAPES = new Map([
  ["mail", "M3 6h18v12H3zM3 7l9 7 9-7"],
  ["globe", "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18"],
  ["phone", "M7 2h10v20H7zM11 18h2"],
  ["chat", "M3 4h18v12H10l-5 4v-4H3z"],
  ["shop", "M5 8h14l1 13H4zM9 8V6a3 3 0 0 1 6 0v2"],
  ["music", "M9 18V5l11-2v13M9 18a3 3 0 1 1-6 0a3 3 0 1 1 6 0M20 16a3 3 0 1 1-6 0a3 3 0 1 1 6 0"],
  ["video", "M3 6h12v12H3zM15 11l6-4v10l-6-4"],
  ["camera", "M3 7h5l2-3h4l2 3h5v13H3zM12 9a4 4 0 1 0 0 8a4 4 0 1 0 0-8"],
  ["code", "M8 6l-6 6l6 6M16 6l6 6l-6 6M14 4l-4 16"],
  ["heart", "M12 21C5 15 2 11.5 2 8a5 5 0 0 1 10-1a5 5 0 0 1 10 1c0 3.5-3 7-10 13z"],
  ["star", "M12 2l3 7 7 .6-5.4 4.700L18.3 21.5 12 17.6 5.7 21.500l1.7-7.200L2 9.6 9 9z"],
  ["calendar", "M3 5h18v16H3zM3 10h18M8 2v5M16 2v5"],
  ["map", "M12 22c-5-6-7-9.5-7-13a7 7 0 0 1 14 0c0 3.5-2 7-7 13zM12 6.500a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5"],
  ["book", "M12 6c-3-2-6-2-10-2v15c4 0 7 0 10 2c3-2 6-2 10-2V4c-4 0-7 0-10 2zM12 6v15"],
  ["download", "M12 3v12M6 10l6 6 6-6M3 21h18"],
  ["link", "M10 14l4-4M8 11l-3 3a3.5 3.5 0 0 0 5 5l3-3M16 13l3-3a3.5 3.5 0 0 0-5-5l-3 3"],
]);

/** Filled shapes in a 24 × 24 box. Their source and license are in a file next to them. */
const BRANDS = new Map(Object.entries(brands));

/** Other names for icons, mapped to the names of the icons. */
const ALSO = new Map([
  ["twitter", "x"],
  ["apple", "appstore"],
  ["podcast", "applepodcasts"],
  ["podcasts", "applepodcasts"],
  ["play", "googleplay"],
  ["maps", "googlemaps"],
  ["website", "globe"],
  ["web", "globe"],
  ["email", "mail"],
]);

/** Hidden from screen readers, because the item's title says the same. */
export function BioIcon({ name }: { name: string }) {
  const said = name.toLowerCase().replaceAll(/[\s_-]/g, "");
  const known = ALSO.get(said) ?? said;
  const shape = SHAPES.get(known);
  const brand = BRANDS.get(known);
  if (shape) return <Icon path={shape} kind="icon" />;
  return brand ? <Icon path={brand} kind="icon brand" /> : <Letters text={letterOf(name)} />;
}

const Icon = ({ path, kind }: { path: string; kind: string }) => (
  <svg class={kind} viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
);

const Letters = ({ text }: { text: string }) => (
  <span class="letters" aria-hidden="true" safe>
    {text}
  </span>
);
