/** Decides which page a visitor sees next on the way to the destination. */
import type { StepsPage } from "@/core/routing/link";

/**
 * `in_app` offers the app from within another app's browser. `hand_off` hands the match token over on the way to the
 * App Store.
 */
export type InterstitialStep = "lead" | "cta" | "in_app" | "hand_off" | "pixels";

export interface Stage {
  page: StepsPage | null;
  /** Whether the form was filled in on this visit. */
  hasAnswered: boolean;
  /**
   * Whether a person's browser will show the page. Everyone else is redirected, but for the form, which comes before
   * everyone's destination.
   */
  isNavigation: boolean;
  offersApp: boolean;
  handsOff: boolean;
  /** Whether there are pixels to fire that no page of this visit has fired. */
  firesPixels: boolean;
}

/**
 * Returns null for an immediate redirect. Every page also fires the pixels and hands over the token, so at most one
 * is shown after the form.
 */
export function nextStep({
  page,
  hasAnswered,
  isNavigation,
  offersApp,
  handsOff,
  firesPixels,
}: Stage): InterstitialStep | null {
  if (page?.lead && !hasAnswered) return "lead";
  if (!isNavigation) return null;
  if (page?.cta) return "cta";
  if (offersApp) return "in_app";
  if (handsOff) return "hand_off";
  return firesPixels ? "pixels" : null;
}
