/** Starts the dashboard: loads the language and theme, then renders the screen for the URL. */
import { createRoot } from "react-dom/client";
import { watchActs } from "./drafts/sent-once";
import { watchTyping } from "./drafts/typed";
import { App } from "./shell/app";
import { startTheme } from "./shell/theme";
import { loadWords } from "./words";

startTheme();
watchTyping();
watchActs();
await loadWords(document.documentElement.lang);
const root = document.getElementById("app");
if (root) createRoot(root).render(<App />);
// Nothing has the focus yet that could go.
void import("./shell/kept-focus").then(({ watchFocus }) => watchFocus()).catch(() => {});
