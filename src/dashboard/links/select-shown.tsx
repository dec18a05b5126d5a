import { Tick } from "../ui/choice";
import { words } from "../words";
import type { SelectedLink, Selection } from "./chosen";

export interface SelectShownProps {
  selection: Selection;
  shown: readonly SelectedLink[];
}

/** Selects all links that the list shows. */
export function SelectShown({ selection, shown }: SelectShownProps) {
  const isAll = shown.every(selection.has);
  return (
    <Tick
      label={words.links.selectShown}
      checked={isAll}
      isMixed={!isAll && shown.some(selection.has)}
      onChange={(isOn) => (isOn ? selection.add(shown) : selection.drop(shown.map(({ _id }) => _id)))}
    />
  );
}
