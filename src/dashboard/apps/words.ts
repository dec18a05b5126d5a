import { receiveWords, type Words } from "../words";

export let appsWords: Words<"apps">;

receiveWords(["apps"], (words) => {
  appsWords = words;
});
