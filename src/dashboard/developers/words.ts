import { receiveWords, type Words } from "../words";

export let developersWords: Words<"developers">;

receiveWords(["developers"], (words) => {
  developersWords = words;
});
