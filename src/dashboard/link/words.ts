import { receiveWords, type Words } from "../words";

export let linkWords: Words<"link">;

receiveWords(["link"], (words) => {
  linkWords = words;
});
