/** What the goal's own measure says: whether there is enough of it, whether it is counted at all, where it goes. */
import { number, percent, plural } from "../insights/words";
import { CLICKS_MIN, conversionRate, rateOf, rateSentence } from "./conversion";
import { measured } from "./intents";
import { compareCounts, compareShares, shareOf } from "./intervals";
import type { Advise } from "./recommendation";

export const adviseThin: Advise = ({ figures: { current } }) => {
  if (current.totalClicks >= CLICKS_MIN) return undefined;
  return {
    title: "Gather more figures first",
    rationale: "There are too few clicks to tell one channel, device or country from another by more than chance.",
    action:
      "Share links in two or three channels, each with UTM values of its own, and ask again once they are clicked.",
    priority: "high",
    evidence: [`${plural(current.totalClicks, "click")} in the last 30 days; shares are told from ${CLICKS_MIN} on`],
  };
};

export const adviseUncounted: Advise = ({ figures: { current }, intent }) => {
  if (measured(intent, current) > 0) return undefined;
  return {
    title: `Begin to count ${intent.measure}s`,
    rationale: `The goal is judged by ${intent.measure}s, and none was counted: whether a campaign worked could not be told.`,
    action: intent.counting,
    priority: "high",
    evidence: [`0 ${intent.measure}s from ${plural(current.totalClicks, "click")} in the last 30 days`],
  };
};

export const adviseTraffic: Advise = ({ figures: { current, previous }, intent }) => {
  const direction = compareCounts(current.totalClicks, previous.totalClicks);
  const evidence = [
    `${plural(current.totalClicks, "click")} in the last 30 days, ${number(previous.totalClicks)} in the 30 days before`,
  ];
  if (direction === "unclear" || current.totalClicks + previous.totalClicks < CLICKS_MIN) return undefined;
  if (direction === "up") {
    return {
      title: "Keep up what brought more clicks",
      rationale: "More clicks came than in the 30 days before, by more than chance explains.",
      action: "Look at the most clicked links for what is new, and give that another run.",
      priority: "low",
      evidence,
    };
  }
  return {
    title: "Find out where clicks were lost",
    rationale: "Fewer clicks came than in the 30 days before, by more than chance explains.",
    action: "Compare the most clicked links of both spans, and look whether one has expired or was shared no more.",
    priority: intent.measure === "click" ? "high" : "medium",
    evidence,
  };
};

export const adviseRate: Advise = ({ figures: { current, previous }, intent }) => {
  const [now, before] = [rateOf(intent, current), rateOf(intent, previous)];
  if (!now || !before) return undefined;
  const direction = compareShares(now, before);
  if (direction === "unclear") return undefined;
  const noun = intent.measure;
  const evidence = [
    rateSentence("Last 30 days", noun, { clicks: now.total, conversions: now.count, rate: now }),
    rateSentence("30 days before", noun, { clicks: before.total, conversions: before.count, rate: before }),
  ];
  if (direction === "up") {
    return {
      title: `Send more visitors while clicks turn into ${noun}s`,
      rationale: `Clicks turn into ${noun}s more often than in the 30 days before, by more than chance explains.`,
      action: "Leave the destination as it is, and put more into the channels below.",
      priority: "medium",
      evidence,
    };
  }
  return {
    title: `Mend the way from click to ${noun}`,
    rationale: `Clicks turn into ${noun}s less often than in the 30 days before, by more than chance explains.`,
    action: "Look what changed at the destination, and try the former one beside it as a split target.",
    priority: "high",
    evidence,
  };
};

export const adviseAgainstWorkspace: Advise = ({ figures: { current, workspace }, intent }) => {
  const own = rateOf(intent, current);
  if (!own || !workspace) return undefined;
  const others = conversionRate(intent, measured(intent, workspace) - own.count, workspace.totalClicks - own.total);
  const direction = compareShares(own, others);
  if (!others || direction === "unclear") return undefined;
  const noun = intent.measure;
  return {
    title: direction === "up" ? "Use this link more" : "Learn from the links that do better",
    rationale: `This link turns clicks into ${noun}s ${direction === "up" ? "more" : "less"} often than all others together.`,
    action:
      direction === "up"
        ? "Share this link where others are shared now."
        : "Compare its destination with those of the most clicked links.",
    priority: "medium",
    evidence: [
      rateSentence("This link", noun, { clicks: own.total, conversions: own.count, rate: own }),
      rateSentence("All others", noun, { clicks: others.total, conversions: others.count, rate: others }),
    ],
  };
};

export const adviseReturning: Advise = ({ figures: { current }, intent }) => {
  const { totalClicks, uniqueVisitors } = current;
  if (intent.name !== "retention" || totalClicks < CLICKS_MIN) return undefined;
  const repeated = shareOf(Math.max(0, totalClicks - uniqueVisitors), totalClicks);
  if (!repeated) return undefined;
  return {
    title: "Write to those who came once",
    rationale: "What is known of returning is how many clicks were not a visitor's first within the 30 days.",
    action: "Send those whose address you have a link of its own, and watch whether this share grows.",
    priority: "medium",
    evidence: [
      `${plural(totalClicks, "click")} by ${plural(uniqueVisitors, "visitor")}: ${percent(repeated.value)} of the clicks came from visitors who had clicked before`,
    ],
  };
};

/** For want of anything that stands out. */
export const adviseTest: Advise = ({ figures: { current }, intent }) => {
  const conversions = measured(intent, current);
  return {
    title: "Test one change at a time",
    rationale: "No channel, device, country, language or time stands out from the others by more than chance explains.",
    action: "Give one link two split targets that differ in one thing, and decide once their figures differ.",
    priority: "low",
    evidence: [
      intent.measure === "click"
        ? `${plural(current.totalClicks, "click")} in the last 30 days`
        : `${plural(conversions, intent.measure)} from ${plural(current.totalClicks, "click")} in the last 30 days`,
    ],
  };
};
