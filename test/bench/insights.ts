/**
 * What computed analytics promise, over seeded histories whose truth is known: no service and no database takes part, and
 * every run prints the same table.
 */
import { measureAnomalies } from "./insights/anomalies";
import { measureBest } from "./insights/best";
import { measureClaims } from "./insights/claims";
import { measurePrediction } from "./insights/prediction";

/** With fewer a share of 80 % is told to no more than a few per cent. */
const PREDICTED_MIN = 1_000;

export function measureInsights(histories: number): void {
  measurePrediction(Math.max(PREDICTED_MIN, histories));
  measureBest(histories);
  measureClaims(histories);
  measureAnomalies(histories);
}
