/**
 * State of the route while it is edited: the draft, the version that it is based on, and a newer one that others
 * saved.
 */
import { useDraft } from "@/dashboard/drafts/use-draft";
import type { EditedLink, Link } from "@/dashboard/links/queries";
import { toast } from "@/dashboard/ui/toasts";
import { useSavingLink } from "../saving";
import { type RouteDraft, routeChangesOf, routeDraftOf } from "./draft";
import { linkRouteWords as words } from "./words";

const isSameRoute = (one: Link, other: Link): boolean =>
  Object.keys(routeChangesOf(routeDraftOf(one), routeDraftOf(other))).length === 0;

export function useRouteDraft(link: EditedLink) {
  const saving = useSavingLink(link);
  const state = useDraft(link, {
    ...{ name: `route ${link._id}`, read: routeDraftOf, changesOf: routeChangesOf, ...saving },
    concerns: (over: EditedLink, now: EditedLink) => !isSameRoute(over, now),
    reportSuccess: () => toast({ text: words.route.saving.saved }),
  });
  const { base, error, theirs, take } = state;
  const isBehind = link.updatedAt > base.updatedAt && !isSameRoute(base, link);
  const newer = theirs ?? (isBehind ? link : undefined);
  return {
    ...state,
    theirs: newer,
    edit(change: (before: RouteDraft) => RouteDraft) {
      if (error || theirs) state.reset();
      state.edit(change);
    },
    discard: () => take(newer ?? base),
  };
}

export type RouteDraftState = ReturnType<typeof useRouteDraft>;
export type EditDraft = RouteDraftState["edit"];
