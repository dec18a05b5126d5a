/** What is typed about a link and not saved yet: followed, saved, and told of what others saved meanwhile. */
import { useState } from "react";
import type { Link, LinkChanges } from "../links/queries";
import { toast } from "../ui/toasts";
import { namesOfChanges } from "./fields";
import { ChangedMeanwhile, useSaveLink } from "./saving";

interface Meaning<Draft> {
  read(link: Link): Draft;
  /** Only what differs. */
  changesOf(saved: Draft, draft: Draft): LinkChanges;
  /** Said once it is saved. */
  told(): string;
}

export function useLinkDraft<Draft>(link: Link, { read, changesOf, told }: Meaning<Draft>) {
  const [base, setBase] = useState(link);
  const saved = read(base);
  const [draft, setDraft] = useState(saved);
  const save = useSaveLink(base);
  const { error, isPending } = save;
  const changes = changesOf(saved, draft);
  const isChanged = Object.keys(changes).length > 0;
  const follow = (now: Link) => {
    setBase(now);
    setDraft(read(now));
  };
  // What others change is shown as it comes, as long as nothing was typed here.
  if (!isChanged && !isPending && link.updatedAt > base.updatedAt) follow(link);
  const take = (now: Link) => {
    follow(now);
    save.reset();
  };
  const onSuccess = (now: Link) => {
    take(now);
    toast({ text: told() });
  };
  const put = (isForced: boolean) => save.mutate({ changes, isForced }, { onSuccess });
  const theirs = error instanceof ChangedMeanwhile ? error.now : undefined;
  return {
    ...{ draft, isChanged, isPending, put },
    set: (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next })),
    discard: () => take(base),
    /** What was refused. */
    error: theirs ? null : error,
    /** What somebody else saved, and in which fields. */
    meanwhile: theirs && { fields: namesOfChanges(base, theirs).join(", "), take: () => take(theirs) },
  };
}
