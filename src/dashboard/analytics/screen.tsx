import { Screen } from "../ui/layout";
import { words } from "../words";
import Figures from "./figures";
import { Reports } from "./reports/menu";

const AnalyticsScreen = () => (
  <Screen title={words.screens.analytics} actions={<Reports />}>
    <Figures />
  </Screen>
);

export default AnalyticsScreen;
