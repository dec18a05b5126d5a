import { receiveWords, type Words } from "@/dashboard/words";

export let leadsWords: Words<"leads">;

receiveWords(["leads"], (words) => {
  leadsWords = words;
});
