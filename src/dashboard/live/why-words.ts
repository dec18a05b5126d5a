import { receiveWords, type Words } from "../words";

export let whyWords: Words<"conditions" | "live">;

receiveWords(["conditions", "live"], (words) => {
  whyWords = words;
});
