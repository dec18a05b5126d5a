import { receiveWords, type Words } from "@/dashboard/words";

export let linkPageWords: Words<"link" | "linkPage">;

receiveWords(["link", "linkPage"], (words) => {
  linkPageWords = words;
});
