/** The service's own name and mark. */

export const OWN_NAME = "Waymark";

/**
 * The header of pages on the service's own hosts that belong to no organization. Its mark is inlined, so it costs no
 * request.
 */
export const OwnHeader = () => (
  <header class="own">
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M5 7l3.500 10L12 9l3.500 8L19 7" />
    </svg>
    <span>{OWN_NAME}</span>
  </header>
);

export const OWN_STYLE = `.own{gap:.5rem;color:var(--soft)}.own rect{fill:currentColor}
.own path{fill:none;stroke:var(--paper);stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}`;
