import { Keys, Pairs } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { words } from "../words";

const KeyList = ({ onClose }: { onClose(): void }) => (
  <Dialog title={words.shell.keys} onClose={onClose}>
    <Pairs of={Object.entries(words.keys)} as={Keys} />
  </Dialog>
);

export default KeyList;
