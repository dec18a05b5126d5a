import { receiveWords, type Words } from "@/dashboard/words";

export let selectionWords: Words<"selection">;

receiveWords(["selection"], (words) => {
  selectionWords = words;
});
