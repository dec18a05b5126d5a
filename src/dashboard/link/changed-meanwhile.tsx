import { Button } from "../ui/button";
import { Notice } from "../ui/data";
import { Row, Stack } from "../ui/layout";
import { words } from "../words";

interface Props {
  /** What others changed. */
  text: string;
  onSaveMine(): void;
  onTakeTheirs(): void;
}

/** Two people on one link or page: the second is told what changed, and keeps what was typed. */
export function ChangedMeanwhileNotice({ text, onSaveMine, onTakeTheirs }: Props) {
  const { conflict } = words.link;
  return (
    <Notice tone="warn">
      <Stack gap={2}>
        <span>{text}</span>
        <Row wrap>
          <Button small onClick={onSaveMine}>
            {conflict.saveMine}
          </Button>
          <Button small onClick={onTakeTheirs}>
            {conflict.takeTheirs}
          </Button>
        </Row>
      </Stack>
    </Notice>
  );
}
