/** Starts the dashboard: loads the language and theme, then renders the screen for the URL. */
import { notifyManager } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { watchTyping } from "./drafts/typed";
import { App } from "./shell/app";
import { startTheme } from "./shell/theme";
import { loadWords } from "./words";

// Before the next key or click, a form shows that it is being sent: on a busy machine, that would come before a timer,
// and a double click would send it twice.
notifyManager.setScheduler(queueMicrotask);
startTheme();
watchTyping();
await loadWords(document.documentElement.lang);
const root = document.getElementById("app");
if (root) createRoot(root).render(<App />);
