import { Screen } from "../ui/layout";
import { words } from "../words";
import Figures from "./figures";

const AnalyticsScreen = () => (
  <Screen title={words.screens.analytics}>
    <Figures />
  </Screen>
);

export default AnalyticsScreen;
