import { receiveWords, type Words } from "../words";

export let domainsWords: Words<"domains">;

receiveWords(["domains"], (words) => {
  domainsWords = words;
});
