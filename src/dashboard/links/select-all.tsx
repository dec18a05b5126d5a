/** Selects all links that the filters of the list match. */
import { Button } from "../ui/button";
import { countText } from "../ui/format";
import { Progress } from "../ui/progress";
import { words } from "../words";
import { SELECTED_MAX, useMatching } from "./matching";
import type { LinkFilters } from "./queries";
import type { SelectShownProps } from "./select-shown";

export interface SelectMatchingProps extends SelectShownProps {
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
        <Progress label={said.qr.progress(countText(read), countText(most))} value={read} max={most} />
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
