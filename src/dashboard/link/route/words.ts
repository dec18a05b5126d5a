import { receiveWords, type Words } from "@/dashboard/words";

export let linkRouteWords: Words<"conditions" | "route">;

receiveWords(["conditions", "route"], (words) => {
  linkRouteWords = words;
});
