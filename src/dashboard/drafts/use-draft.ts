/**
 * A form for something that is saved: what is typed and not saved yet. As long as nothing is typed, it follows what others
 * save. What is typed while a save is under way stays, and is unsaved again after it.
 */
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ChangedMeanwhile } from "./changed-meanwhile";
import { rebased } from "./rebase";

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
  /** Also called when the screen was left meanwhile. */
  onSaved?(now: Saved, sent: Draft): void;
  /** Whatever came of it: what shows it asks again. */
  refresh(): Promise<unknown>;
  /** Says that it is saved, once all that is shown is up to date. */
  tell(): void;
}

/** How often others may change what does not concern the form while it is saved. */
const TRIES = 5;

interface State<Saved, Draft> {
  /** What the draft was made of. */
  base: Saved;
  draft: Draft;
  /** The last of what was handed in that the draft takes account of. */
  seen: Saved;
}

/** `kept`: a draft to go on with. */
export function useDraft<Saved, Draft extends object, Changes extends object>(
  saved: Saved,
  options: DraftOptions<Saved, Draft, Changes>,
  kept?: { base: Saved; draft: Draft },
) {
  const { read, changesOf, rowId, onSaved, refresh, tell } = options;
  const [{ base, draft, seen }, setState] = useState<State<Saved, Draft>>(() => ({
    ...(kept ?? { base: saved, draft: read(saved) }),
    seen: kept?.base ?? saved,
  }));
  const newest = useRef(saved);
  newest.current = saved;
  const changes = changesOf(read(base), draft);
  const isChanged = Object.keys(changes).length > 0;
  const saving = useMutation({
    mutationFn: ({ of, over }: { sent: Draft; of: Changes; over: Saved }) => saveUpon(options, of, over),
    onSuccess(now, { sent }) {
      const upon = ({ draft: typed }: State<Saved, Draft>) => rebased(typed, sent, read(now), rowId);
      // What was handed in until now may be older than what was saved.
      setState((before) => ({ base: now, draft: upon(before), seen: newest.current }));
      onSaved?.(now, sent);
      // It is saved by now: whoever typed on may save that at once.
      void refresh().then(tell);
    },
    onError: () => void refresh(),
  });
  const { error, isPending, mutate, reset } = saving;
  if (saved !== seen && !isChanged && !isPending) {
    setState({ base: saved, draft: rebased(draft, draft, read(saved), rowId), seen: saved });
  }
  const take = (now: Saved) => {
    reset();
    setState({ base: now, draft: read(now), seen: newest.current });
  };
  const discard = () => {
    reset();
    setState((before) => ({ ...before, draft: read(before.base) }));
  };
  const edit = (change: (before: Draft) => Draft) => setState((before) => ({ ...before, draft: change(before.draft) }));
  return {
    ...{ base, draft, changes, isChanged, isPending, take, discard, edit },
    set: (next: Partial<Draft>) => edit((before) => ({ ...before, ...next })),
    /** `over`: what others saved, where that is known and may be written over. */
    put: (over = base) => {
      if (isChanged && !isPending) mutate({ sent: draft, of: changes, over });
    },
    reset,
    /** What was refused. */
    error: error instanceof ChangedMeanwhile ? null : error,
    /** What somebody else saved meanwhile, and was not written over. */
    theirs: error instanceof ChangedMeanwhile ? (error.now as Saved) : undefined,
  };
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
