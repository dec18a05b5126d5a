/** Selects all links that the list shows, and then all that its filters match. */
import { Button } from "../ui/button";
import { Tick } from "../ui/choice";
import { countText } from "../ui/format";
import { Progress } from "../ui/progress";
import { words } from "../words";
import type { SelectedLink, Selection } from "./chosen";
import { SELECTED_MAX, useMatching } from "./matching";
import type { LinkFilters } from "./queries";

interface SelectShownProps {
  selection: Selection;
  shown: readonly SelectedLink[];
}

export function SelectShown({ selection, shown }: SelectShownProps) {
  const isAll = shown.every(selection.has);
  return (
    <Tick
      label={words.links.selection.shown}
      checked={isAll}
      isMixed={!isAll && shown.some(selection.has)}
      onChange={(isOn) => (isOn ? selection.add(shown) : selection.drop(shown.map(({ _id }) => _id)))}
    />
  );
}

interface SelectMatchingProps extends SelectShownProps {
  filters: LinkFilters;
  /** How many links the filters match. */
  total: number;
}

/** Offered once all shown links are selected, if the list goes on. */
export function SelectMatching({ selection, shown, filters, total }: SelectMatchingProps) {
  const { selection: said } = words.links;
  const { read, start, cancel } = useMatching(filters, selection.put);
  const most = Math.min(total, SELECTED_MAX);
  if (read !== undefined) {
    return (
      <>
        <Progress label={said.progress(countText(read), countText(most))} value={read} max={most} />
        <Button small onClick={cancel}>
          {words.ui.cancel}
        </Button>
      </>
    );
  }
  if (selection.ids.length >= most || !shown.every(selection.has)) return null;
  return (
    <Button small onClick={() => void start()}>
      {total > most ? said.newest(countText(most)) : said.matching(countText(most))}
    </Button>
  );
}
