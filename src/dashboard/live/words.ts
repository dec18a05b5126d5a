import { receiveWords, type Words } from "../words";

export let liveWords: Words<"live">;

receiveWords(["live"], (words) => {
  liveWords = words;
});
