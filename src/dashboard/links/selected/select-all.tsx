/** Selects all links that the filters of the list match. */
import { Button } from "@/dashboard/ui/button";
import { countText } from "@/dashboard/ui/format";
import { Progress } from "@/dashboard/ui/progress";
import type { LinkFilters } from "../queries";
import type { SelectShownProps } from "../select-shown";
import { SELECTED_MAX, useMatching } from "./matching";
import { selectionWords as words } from "./words";

export interface SelectMatchingProps extends SelectShownProps {
  filters: LinkFilters;
  /** How many links the filters match. */
  total: number;
}

/** Offered once all shown links are selected, if the list goes on. */
export function SelectMatching({ selection, shown, filters, total }: SelectMatchingProps) {
  const { selection: said } = words;
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
