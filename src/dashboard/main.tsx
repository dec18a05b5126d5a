/** Begins the dashboard: its language, its theme, then what the address names. */
import { createRoot } from "react-dom/client";
import { App } from "./shell/app";
import { startTheme } from "./shell/theme";
import { loadWords } from "./words";

startTheme();
await loadWords(document.documentElement.lang);
const root = document.getElementById("app");
if (root) createRoot(root).render(<App />);
