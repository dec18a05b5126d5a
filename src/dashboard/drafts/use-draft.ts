/**
 * A form for something that is saved: what is typed and not saved yet. As long as nothing is typed, it follows what others
 * save. What is typed while a save is under way stays, and is unsaved again after it. A save that is asked for meanwhile
 * waits for the answer to the one before, and is made upon what that one saved.
 */
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ChangedMeanwhile } from "./changed-meanwhile";
import { type Kept, keep, keptAs, useKept } from "./kept";
import { isSame, rebased } from "./rebase";

export interface DraftOptions<Saved, Draft, Changes> {
  read(saved: NoInfer<Saved>): Draft;
  /** Only what differs. */
  changesOf(saved: Draft, draft: Draft): Changes;
  /** The field by which rows of a list are told apart; `id` without it. */
  rowId?: string;
  /** Rejects with `ChangedMeanwhile` where it no longer is as it was in `over`. */
  save(changes: Changes, over: NoInfer<Saved>): Promise<Saved>;
  /** Whether what others changed concerns this form; all of it does without this. */
  concerns?(over: Saved, now: Saved): boolean;
  /** Of what is edited. It is kept by that where its screen is left without saying what becomes of it. */
  name: string;
  /** Whatever came of it: what shows it asks again. */
  refresh(): Promise<unknown>;
  /** Says that it is saved, once all that is shown is up to date. */
  tell(): void;
}

/** How often others may change what does not concern the form while it is saved. */
const TRIES = 5;

interface State<Saved, Draft> extends Kept<Saved, Draft> {
  /** The last of what was handed in that the draft takes account of. */
  seen: Saved;
  /** What is to be saved once the save under way is answered. */
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
  const { read, changesOf, rowId, name, refresh, tell } = options;
  const [state, setState] = useState(() => firstState(saved, options));
  const { base, draft, seen, next } = state;
  const newest = useRef({ saved, state });
  newest.current = { saved, state };
  const changes = changesOf(read(base), draft);
  const isChanged = Object.keys(changes).length > 0;
  const saving = useMutation({
    mutationFn: ({ of, over }: Sent<Saved, Draft, Changes>) => saveUpon(options, of, over),
    onSuccess(now, { sent }) {
      const { saved: handedIn, state } = newest.current;
      const upon = (typed: Draft) => rebased(typed, sent, read(now), rowId);
      // What was handed in until now may be older than what was saved.
      setState(({ draft: typed }) => ({ base: now, draft: upon(typed), seen: handedIn }));
      keepUpon(options, now, sent);
      const isOver = !state.next || !send(upon(state.next), now);
      // It is saved by now: whoever typed on may save that at once.
      void refresh().then(() => isOver && tell());
    },
    onError(error, { sent, over }) {
      const { next, base } = newest.current.state;
      if (next) setState(({ next: _, ...before }) => before);
      // What was refused may have been put right since; what others changed is to be looked at first.
      const isTried = next && !(error instanceof ChangedMeanwhile) && !isSame(next, sent) && send(next, base, over);
      if (!isTried) void refresh();
    },
  });
  const { error, isPending, variables, mutate, reset } = saving;
  /** Whether there is something to save. */
  function send(typed: Draft, upon: Saved, over = upon): boolean {
    const of = changesOf(read(upon), typed);
    const isAny = Object.keys(of).length > 0;
    if (isAny) mutate({ sent: typed, of, over });
    return isAny;
  }
  if (saved !== seen && !isChanged && !isPending) {
    setState({ base: saved, draft: rebased(draft, draft, read(saved), rowId), seen: saved });
  }
  const restart = (now: Saved, handedIn: Saved) => {
    reset();
    const state = { base: now, draft: read(now), seen: handedIn };
    newest.current.state = state;
    setState(state);
    keep(name, undefined);
  };
  const discard = () => restart(base, seen);
  useKept(name, isChanged ? state : undefined, discard);
  const edit = (change: (before: Draft) => Draft) => setState((before) => ({ ...before, draft: change(before.draft) }));
  return {
    ...{ base, draft, changes, isChanged, isPending, reset, edit },
    take: (now: Saved) => restart(now, saved),
    discard,
    /** Whether all that is typed is being saved; what was typed since can be saved as well. */
    isSaving: isPending && isSame(next ?? variables.sent, draft),
    set: (next: Partial<Draft>) => edit((before) => ({ ...before, ...next })),
    /** `over`: what others saved, where that is known and may be written over. */
    put: (over = base) => {
      if (isPending) setState((before) => ({ ...before, next: before.draft }));
      else send(draft, base, over);
    },
    /** What was refused. */
    error: error instanceof ChangedMeanwhile ? null : error,
    /** What somebody else saved meanwhile, and was not written over. */
    theirs: error instanceof ChangedMeanwhile ? (error.now as Saved) : undefined,
  };
}

/** What was left unsaved before, else as it is saved. */
function firstState<Saved, Draft>(
  saved: Saved,
  { name, read }: Pick<DraftOptions<Saved, Draft, never>, "name" | "read">,
): State<Saved, Draft> {
  const left = keptAs<Saved, Draft>(name) ?? { base: saved, draft: read(saved) };
  return { ...left, seen: left.base };
}

/** The screen may have been left before it was saved. */
function keepUpon<Saved, Draft extends object, Changes extends object>(
  { name, read, changesOf, rowId }: DraftOptions<Saved, Draft, Changes>,
  now: Saved,
  sent: Draft,
): void {
  const left = keptAs<Saved, Draft>(name);
  if (!left) return;
  const draft = rebased(left.draft, sent, read(now), rowId);
  const isChanged = Object.keys(changesOf(read(now), draft)).length > 0;
  keep(name, isChanged ? { base: now, draft } : undefined);
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
      if (!(error instanceof ChangedMeanwhile) || tries === TRIES) throw error;
      const now = error.now as Saved;
      if (concerns(expected, now)) throw error;
      expected = now;
    }
  }
}
