import { receiveWords, type Words } from "../words";

export let pagesWords: Words<"pages">;

receiveWords(["pages"], (words) => {
  pagesWords = words;
});
