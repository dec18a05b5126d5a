/**
 * Measures how well computed analytics keep their promises, with seeded histories whose truth is known. Needs no
 * service and no database, and prints the same table in every run.
 */
import { measureAnomalies } from "./insights/anomalies";
import { measureBest } from "./insights/best";
import { measureClaims } from "./insights/claims";
import { measurePrediction } from "./insights/prediction";

/** With fewer histories, a share of 80% would be accurate only to a few percentage points. */
const PREDICTED_MIN = 1_000;

export function measureInsights(histories: number): void {
  measurePrediction(Math.max(PREDICTED_MIN, histories));
  measureBest(histories);
  measureClaims(histories);
  measureAnomalies(histories);
}
