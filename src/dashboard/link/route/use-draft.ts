/**
 * The route while it is edited: what was typed, what it was made of, and whether it can be saved. It outlives its screen, so
 * that going back loses nothing; a page that is closed asks first.
 */
import { useEffect } from "react";
import { rebased } from "@/dashboard/drafts/rebase";
import { useDraft } from "@/dashboard/drafts/use-draft";
import type { EditedLink, Link } from "@/dashboard/links/queries";
import { toast } from "@/dashboard/ui/toasts";
import { words } from "@/dashboard/words";
import { useSavingLink } from "../saving";
import { type RouteDraft, routeChangesOf, routeDraftOf } from "./draft";

interface Kept {
  base: EditedLink;
  draft: RouteDraft;
}

/** By link. Holds those alone that somebody typed into. */
const kept = new Map<string, Kept>();

const isUnchanged = ({ base, draft }: { base: Link; draft: RouteDraft }): boolean =>
  Object.keys(routeChangesOf(routeDraftOf(base), draft)).length === 0;

const isSameRoute = (one: Link, other: Link): boolean => isUnchanged({ base: one, draft: routeDraftOf(other) });

/** The screen may have been left before it was saved. */
function keepUpon(now: EditedLink, sent: RouteDraft): void {
  const left = kept.get(now._id);
  if (!left) return;
  const next = { base: now, draft: rebased(left.draft, sent, routeDraftOf(now)) };
  if (isUnchanged(next)) kept.delete(now._id);
  else kept.set(now._id, next);
}

export function useRouteDraft(link: EditedLink) {
  const saving = useSavingLink(link);
  const options = {
    ...{ read: routeDraftOf, changesOf: routeChangesOf, ...saving },
    concerns: (over: EditedLink, now: EditedLink) => !isSameRoute(over, now),
    onSaved: keepUpon,
    tell: () => toast({ text: words.route.saving.saved }),
  };
  const state = useDraft(link, options, kept.get(link._id));
  const { base, draft, isChanged, error, theirs, take } = state;
  useEffect(() => {
    if (isChanged) kept.set(link._id, { base, draft });
    else kept.delete(link._id);
  }, [isChanged, base, draft, link._id]);
  const isBehind = link.updatedAt > base.updatedAt && !isSameRoute(base, link);
  const newer = theirs ?? (isBehind ? link : undefined);
  return {
    ...state,
    theirs: newer,
    edit(change: (before: RouteDraft) => RouteDraft) {
      if (error || theirs) state.reset();
      state.edit(change);
    },
    discard() {
      // The screen may be left before its effects run.
      kept.delete(link._id);
      take(newer ?? base);
    },
  };
}

export type RouteDraftState = ReturnType<typeof useRouteDraft>;
export type EditDraft = RouteDraftState["edit"];
