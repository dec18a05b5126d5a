import { useState } from "react";
import { useKeys } from "../shell/keys";
import { useOrg } from "../shell/session";
import type { Verdict } from "./queries";

/** `j` and `k` move the selection, `y` confirms, `n` dismisses. When a row disappears, the next one takes its place. */
export function useRowKeys<Row>(rows: readonly Row[], onJudge: (row: Row, verdict: Verdict) => void): number {
  const { may } = useOrg();
  const [place, setPlace] = useState(-1);
  const current = Math.min(place, rows.length - 1);
  const step = (by: number) => setPlace(Math.max(0, Math.min(rows.length - 1, current + by)));
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
