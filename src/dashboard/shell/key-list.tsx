import { Keys, Pairs } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { words } from "../words";

const KeyList = ({ onClose }: { onClose(): void }) => (
  <Dialog title={words.shell.keys} onClose={onClose}>
    <Pairs
      of={Object.entries(words.keys).map(([key, does]) => [key, <Shown key={key} keys={key} does={does} />] as const)}
    />
  </Dialog>
);

const Shown = ({ keys, does }: { keys: string; does: string }) => (
  <>
    <Keys>{keys}</Keys> {does}
  </>
);

export default KeyList;
