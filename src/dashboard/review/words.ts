import { receiveWords, type Words } from "../words";

export let reviewWords: Words<"live" | "review">;

receiveWords(["live", "review"], (words) => {
  reviewWords = words;
});
