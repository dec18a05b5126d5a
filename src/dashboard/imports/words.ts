import { receiveWords, type Words } from "../words";

export let importsWords: Words<"imports">;

receiveWords(["imports"], (words) => {
  importsWords = words;
});
