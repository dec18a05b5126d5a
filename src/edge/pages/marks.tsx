/** Small pictures inlined in the page, so that they cost no request. */

/** Drawn with a line width of 2 in a 24 × 24 box. */
const EMBLEMS = {
  astray: "M9 17H7A5 5 0 0 1 7 7M15 7h2a5 5 0 0 1 4 8M8 12h4M3 3l18 18",
  ended: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 7v5l3 2",
  locked: "M5 11h14v10H5zM8 11V7a4 4 0 0 1 8 0v4",
  unsafe: "M12 3l8 3v6c0 4.500-3.500 7.500-8 9c-4.500-1.500-8-4.500-8-9V6zM12 8v5M12 16.500v.010",
  wait: "M6 3h12M6 21h12M7 3c0 5 5 6 5 9s-5 4-5 9M17 3c0 5-5 6-5 9s5 4 5 9",
  fault: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 8v5M12 16v.010",
  web: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18",
};
export type EmblemName = keyof typeof EMBLEMS;

export const Emblem = ({ name }: { name: EmblemName }) => (
  <span class="emblem">
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={EMBLEMS[name]} />
    </svg>
  </span>
);

export const EMBLEM_STYLE = `
.emblem{display:grid;place-items:center;flex:none;width:3.5rem;height:3.5rem;margin:0 auto 1.25rem;border-radius:50%;
background:var(--tint);color:var(--on-tint)}
.emblem svg{width:1.75rem;height:1.75rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;
stroke-linejoin:round}`;
