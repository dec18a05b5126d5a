/**
 * What computed analytics promise, over seeded histories whose truth is known: no service and no database takes part, and
 * every run prints the same table.
 */
import { measureAnomalies } from "./insights-anomalies";
import { measureBest } from "./insights-best";
import { measureClaims } from "./insights-claims";
import { measurePrediction } from "./insights-prediction";

export function measureInsights(histories: number): void {
  measurePrediction(histories);
  measureBest(histories);
  measureClaims(histories);
  measureAnomalies(histories);
}
