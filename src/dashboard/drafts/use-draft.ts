/**
 * State of a form for a saved resource. Without unsaved input, it follows what others save. Input made during a save
 * is kept and remains unsaved after it. A save requested during another one waits for that response and is based on
 * what it saved.
 */
import { useRef, useState } from "react";
import { useChange } from "../api/changes";
import { SignedOut } from "../api/failures";
import { EditConflict } from "./edit-conflict";
import { forgetDraft, type KeptDraft, keepDraft, readKeptDraft, useDraftEditor, useKeptDraft } from "./kept-draft";
import { isSame, rebaseDraft } from "./rebase";

export interface DraftOptions<Saved, Draft, Changes> {
  read(saved: NoInfer<Saved>): Draft;
  /** Returns only the fields that differ. */
  changesOf(saved: Draft, draft: Draft): Changes;
  /** Field that identifies the rows of a list; `id` by default. */
  rowId?: string;
  /** Saves the changes. Rejects with `EditConflict` if the resource is no longer the version in `over`. */
  save(changes: Changes, over: NoInfer<Saved>): Promise<Saved>;
  /** True if what others changed affects this form; without it, every change does. */
  concerns?(over: Saved, now: Saved): boolean;
  /**
   * Names the edited resource. Its draft is kept under this name if the screen is left without saving or discarding
   * it.
   */
  name: string;
  /** Called after every save, successful or not, to read the shown data again. */
  refresh(): Promise<unknown>;
  /** Reports success, once everything shown is up to date. */
  reportSuccess(): void;
}

/** How often a save is attempted while others change parts of the resource that do not concern the form. */
const TRIES = 5;

interface State<Saved, Draft> extends KeptDraft<Saved, Draft> {
  /** The last version passed in that the draft has taken into account. */
  seen: Saved;
  /** Draft to save once the save in progress has finished. */
  next?: Draft | undefined;
}

interface Sent<Saved, Draft, Changes> {
  sent: Draft;
  of: Changes;
  over: Saved;
}

export function useDraft<Saved, Draft extends object, Changes extends object>(
  saved: Saved,
  options: DraftOptions<Saved, Draft, Changes>,
) {
  const { read, changesOf, rowId, name, refresh, reportSuccess } = options;
  const [state, setState] = useState(() => firstState(saved, options));
  const { base, draft, seen, next } = state;
  const newest = useRef({ saved, state });
  newest.current = { saved, state };
  const changes = changesOf(read(base), draft);
  const isChanged = Object.keys(changes).length > 0;
  const saving = useChange({
    mutationFn: ({ of, over }: Sent<Saved, Draft, Changes>) => saveUpon(options, of, over),
    onSuccess(now, { sent }) {
      const { saved: handedIn, state } = newest.current;
      const upon = (typed: Draft) => rebaseDraft(typed, sent, read(now), rowId);
      // The version passed in so far may be older than the one just saved.
      setState(({ draft: typed }) => ({ base: now, draft: upon(typed), seen: handedIn }));
      keepUpon(options, now, sent);
      const isOver = !state.next || !send(upon(state.next), now);
      // The save is complete here: further input can be saved without waiting for the refresh.
      void refresh().then(() => isOver && reportSuccess());
    },
    onError(error, { sent, over }) {
      const { next, base } = newest.current.state;
      if (next) setState(({ next: _, ...before }) => before);
      // A rejected draft may have been corrected since, so try the newer one. A conflict has to be resolved first.
      const isTried = next && !(error instanceof EditConflict) && !isSame(next, sent) && send(next, base, over);
      if (!isTried) void refresh();
    },
  });
  const { error, isPending, variables, mutate, reset } = saving;
  /** Saves the draft; returns false if nothing has changed. */
  function send(typed: Draft, upon: Saved, over = upon): boolean {
    const of = changesOf(read(upon), typed);
    const isAny = Object.keys(of).length > 0;
    if (isAny) mutate({ sent: typed, of, over });
    return isAny;
  }
  if (saved !== seen && !isChanged && !isPending) {
    setState({ base: saved, draft: rebaseDraft(draft, draft, read(saved), rowId), seen: saved });
  }
  const restart = (now: Saved, handedIn: Saved) => {
    reset();
    newest.current.state = { base: now, draft: read(now), seen: handedIn };
    setState(newest.current.state);
    forgetDraft(name);
  };
  const discard = () => restart(base, seen);
  useKeptDraft(name, isChanged ? state : undefined, discard);
  const edit = useDraftEditor<Saved, Draft>({
    ...{ name, last: () => newest.current.state, isUnsaved: (kept) => hasChanges(options, kept) },
    put: (change) => setState((before) => ({ ...before, draft: change(before.draft) })),
  });
  return {
    ...{ base, draft, changes, isChanged, isPending, reset, edit, discard },
    take: (now: Saved) => restart(now, saved),
    /** True if the save in progress includes all input; otherwise, later input can be saved as well. */
    isSaving: isPending && isSame(next ?? variables?.sent, draft),
    set: (next: Partial<Draft>) => edit((before) => ({ ...before, ...next })),
    /** Saves the draft. `over` is the version that others saved, if the user has decided to overwrite it. */
    put: (over = base) => {
      if (isPending) setState((before) => ({ ...before, next: before.draft }));
      else send(draft, base, over);
    },
    /** The error of the last save, other than a conflict or an ended session, which the page says itself. */
    error: error instanceof EditConflict || error instanceof SignedOut ? null : error,
    /** The version that someone else saved in the meantime, and that was not overwritten. */
    theirs: error instanceof EditConflict ? (error.now as Saved) : undefined,
  };
}

/** Returns the draft kept from before, otherwise one of the saved version. */
function firstState<Saved, Draft>(
  saved: Saved,
  { name, read }: Pick<DraftOptions<Saved, Draft, never>, "name" | "read">,
): State<Saved, Draft> {
  const left = readKeptDraft<Saved, Draft>(name) ?? { base: saved, draft: read(saved) };
  return { ...left, seen: left.base };
}

const hasChanges = <Saved, Draft, Changes extends object>(
  { read, changesOf }: Pick<DraftOptions<Saved, Draft, Changes>, "read" | "changesOf">,
  { base, draft }: KeptDraft<Saved, Draft>,
): boolean => Object.keys(changesOf(read(base), draft)).length > 0;

/** Updates the kept draft, in case the screen was left before the save finished. */
function keepUpon<Saved, Draft extends object, Changes extends object>(
  options: DraftOptions<Saved, Draft, Changes>,
  now: Saved,
  sent: Draft,
): void {
  const { name, read, rowId } = options;
  const left = readKeptDraft<Saved, Draft>(name);
  if (!left) return;
  const rebased = { base: now, draft: rebaseDraft(left.draft, sent, read(now), rowId) };
  keepDraft(name, hasChanges(options, rebased) ? rebased : undefined);
}

async function saveUpon<Saved, Draft, Changes>(
  { save, concerns = () => true }: DraftOptions<Saved, Draft, Changes>,
  changes: Changes,
  over: Saved,
): Promise<Saved> {
  for (let [expected, tries] = [over, 1]; ; tries++) {
    try {
      return await save(changes, expected);
    } catch (error) {
      if (!(error instanceof EditConflict) || tries === TRIES) throw error;
      const now = error.now as Saved;
      if (concerns(expected, now)) throw error;
      expected = now;
    }
  }
}
