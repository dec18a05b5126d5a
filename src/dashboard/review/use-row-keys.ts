import { useCurrentRow } from "../shell/current-row";
import { useKeys } from "../shell/keys";
import { useOrg } from "../shell/session";
import type { Verdict } from "./queries";

/** `j` and `k` move the selection, `y` confirms, `n` dismisses. */
export function useRowKeys<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  onJudge: (row: Row, verdict: Verdict) => void,
): number {
  const { may } = useOrg();
  const [current, step] = useCurrentRow(rows, keyOf);
  const judge = (verdict: Verdict) => {
    const row = rows[current];
    if (row && may("member")) onJudge(row, verdict);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    y: () => judge("confirmed"),
    n: () => judge("dismissed"),
  });
  return current;
}
