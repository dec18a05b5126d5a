/** Suspicious clicks with the reasons for the suspicion, and verdicts that change the figures. */
import { Route, Switch } from "wouter";
import { Tabs } from "../ui/data";
import { Screen, Text } from "../ui/layout";
import { Clicks } from "./clicks";
import { Groups } from "./groups";
import { reviewWords as words } from "./words";

export default function ReviewScreen() {
  const { review } = words;
  return (
    <Screen title={words.screens.review}>
      <Tabs
        label={words.screens.review}
        tabs={[
          ["/review", review.tabs.clicks],
          ["/review/groups", review.tabs.groups],
        ]}
      />
      <Text soft>{review.means}</Text>
      <Switch>
        <Route path="/review/groups">
          <Groups />
        </Route>
        <Route>
          <Clicks />
        </Route>
      </Switch>
    </Screen>
  );
}
