import { receiveWords, type Words } from "../words";

export let analyticsWords: Words<"analytics">;

receiveWords(["analytics"], (words) => {
  analyticsWords = words;
});
