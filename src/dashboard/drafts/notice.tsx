import { Button } from "../ui/button";
import { Notice } from "../ui/data";
import { Row, Stack } from "../ui/layout";
import { words } from "../words";

interface Props<Saved> {
  state: { theirs: Saved | undefined; isPending: boolean; put(over: Saved): void; take(theirs: Saved): void };
  /** Describes what others changed. */
  text(theirs: Saved): string;
  /** False while the draft has faults and must not be saved. */
  isSound?: boolean;
}

/**
 * Shown if someone else saved the same resource first: says what changed, and offers to save one's own draft or take
 * theirs.
 */
export function ChangedMeanwhileNotice<Saved>({ state, text, isSound = true }: Props<Saved>) {
  const { theirs, isPending, put, take } = state;
  const { conflict } = words;
  if (theirs === undefined) return null;
  return (
    <Notice tone="warn">
      <Stack gap={2}>
        <span>{text(theirs)}</span>
        <Row wrap>
          <Button small disabled={!isSound} busy={isPending} onClick={() => put(theirs)}>
            {conflict.saveMine}
          </Button>
          <Button small disabled={isPending} onClick={() => take(theirs)}>
            {conflict.takeTheirs}
          </Button>
        </Row>
      </Stack>
    </Notice>
  );
}
