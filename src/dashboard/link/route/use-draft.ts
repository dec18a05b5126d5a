/**
 * The route while it is edited: what was typed, what it was made of, and whether it can be saved. It outlives its screen, so
 * that going back loses nothing; a page that is closed asks first. As long as nothing is typed, it follows the saved link.
 */
import { useEffect, useState } from "react";
import type { Link } from "@/dashboard/links/queries";
import { ChangedMeanwhile } from "../saving";
import { type RouteDraft, routeChangesOf, routeDraftOf } from "./draft";
import { useSaveRoute } from "./save";

interface Kept {
  base: Link;
  draft: RouteDraft;
}

/** By link. Holds those alone that somebody typed into. */
const kept = new Map<string, Kept>();

export type EditDraft = (change: (draft: RouteDraft) => RouteDraft) => void;

const isSameRoute = (one: Link, other: Link): boolean =>
  Object.keys(routeChangesOf(one, routeDraftOf(other))).length === 0;

export function useDraft(link: Link) {
  const [{ base, draft }, setState] = useState<Kept>(
    () => kept.get(link._id) ?? { base: link, draft: routeDraftOf(link) },
  );
  const changes = routeChangesOf(base, draft);
  const isDirty = Object.keys(changes).length > 0;
  const save = useSaveRoute(link._id);
  if (base !== link && link.updatedAt >= base.updatedAt && (isDirty ? isSameRoute(base, link) : true)) {
    setState({ base: link, draft: isDirty || isSameRoute(base, link) ? draft : routeDraftOf(link) });
  }
  useEffect(() => {
    if (isDirty) kept.set(link._id, { base, draft });
    else kept.delete(link._id);
  }, [isDirty, base, draft, link._id]);
  const start = (from: Link) => {
    save.reset();
    // The screen may be left before its effects run.
    kept.delete(link._id);
    setState({ base: from, draft: routeDraftOf(from) });
  };
  const isBehind = link.updatedAt > base.updatedAt && !isSameRoute(base, link);
  const theirs = save.error instanceof ChangedMeanwhile ? save.error.now : isBehind ? link : undefined;
  return {
    draft,
    base,
    isDirty,
    isSaving: save.isPending,
    changes,
    /** The link as somebody else left it. */
    theirs,
    error: save.error instanceof ChangedMeanwhile ? undefined : save.error,
    edit: ((change) => {
      if (save.isError) save.reset();
      setState((before) => ({ ...before, draft: change(before.draft) }));
    }) as EditDraft,
    discard: () => start(theirs ?? base),
    take: start,
    /** `over`: what somebody else saved, and what may be lost. */
    save: (onSaved: () => void, over?: Link) =>
      save.mutate(
        { changes, isExpected: (now) => isSameRoute(base, now) || (over !== undefined && isSameRoute(over, now)) },
        {
          onSuccess: (saved) => {
            start(saved);
            onSaved();
          },
        },
      ),
  };
}

export type DraftState = ReturnType<typeof useDraft>;
