import { receiveWords, type Words } from "../words";

export let settingsWords: Words<"settings">;

receiveWords(["settings"], (words) => {
  settingsWords = words;
});
