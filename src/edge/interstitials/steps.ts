/** Which page a visitor sees next on the way to the destination. */
import type { StepsPage } from "@/core/routing/link";

/** `in_app`: offers the app from within another app's browser; `hand_off`: takes the match token along to the App Store. */
export type InterstitialStep = "lead" | "cta" | "in_app" | "hand_off" | "pixels";

export interface Stage {
  page: StepsPage | null;
  /** Whether the form has been filled in on this visit. */
  hasAnswered: boolean;
  /** Whether a person's browser will show a page: the others are sent on, but for the form, which stands before everyone. */
  isNavigation: boolean;
  offersApp: boolean;
  handsOff: boolean;
  /** Whether pixels are to be fired that no page of this visit has fired yet. */
  firesPixels: boolean;
}

/** Null: straight on. A page fires the pixels and hands the token over besides what it is for, so one is shown at most. */
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
