/**
 * The browser of this process, shared by all its test files, and its tabs. Each tab has its own browser context, so
 * tabs share nothing. A tab that is given back is emptied and reused: its renderer still holds the compiled scripts
 * and opens the dashboard at a third of the cost of a new tab.
 */
import { atEndOfRun, onDeathOfRun } from "../end-of-run";
import { BROWSER } from "../servers/system-program";
import { BROWSER_FLAGS, launchChromium } from "./chromium";
import type { Wire } from "./wire";

/** Kills the browser's process group `$1` and removes its folder `$2`. */
const CLEAN_UP = 'kill -s KILL -- "-$1"; rm -rf "$2"';

/**
 * Disables the optimizing compilers: pages in tests run their scripts once or twice, so compiling costs more than it
 * saves. Measurements leave them on, because a real visitor waits for them too.
 */
const FEW_RUNS = "--js-flags=--no-opt,--no-maglev";

export interface Tab {
  browserContextId: string;
  targetId: string;
}

export interface OwnBrowser {
  wire: Wire;
  takeTab(): Promise<Tab>;
  /** Takes back a tab whose page was left. Deletes its cookies and what these origins stored in it. */
  recycleTab(tab: Tab, origins: Iterable<string>): Promise<void>;
  /** Closes the tab permanently. */
  drop(tab: Tab): Promise<void>;
}

let own: Promise<OwnBrowser> | undefined;

/** Starts the browser on the first call. It ends at the end of the run. */
export function ownBrowser(): Promise<OwnBrowser> {
  own ??= startOwn();
  return own;
}

async function startOwn(): Promise<OwnBrowser> {
  const { wire, pid, folder, close } = await launchChromium(BROWSER, [...BROWSER_FLAGS, FEW_RUNS]);
  const watchdog = onDeathOfRun(CLEAN_UP, String(pid), folder);
  atEndOfRun(async () => {
    own = undefined;
    await close();
    watchdog.dismiss();
  });
  const free: Tab[] = [];
  return {
    wire,
    takeTab: async () => free.pop() ?? openTab(wire),
    async recycleTab(tab, origins) {
      const { browserContextId } = tab;
      await closePopups(wire, tab);
      const { sessionId } = await wire.send("Target.attachToTarget", { targetId: tab.targetId, flatten: true });
      for (const origin of origins)
        await wire.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" }, String(sessionId));
      await wire.send("Storage.clearCookies", { browserContextId });
      await wire.send("Page.resetNavigationHistory", {}, String(sessionId));
      await wire.send("Target.detachFromTarget", { sessionId });
      free.push(tab);
    },
    drop: async ({ browserContextId }) => void (await wire.send("Target.disposeBrowserContext", { browserContextId })),
  };
}

export async function openTab(wire: Wire): Promise<Tab> {
  const browserContextId = String((await wire.send("Target.createBrowserContext")).browserContextId);
  const { targetId } = await wire.send("Target.createTarget", { url: "about:blank", browserContextId });
  return { browserContextId, targetId: String(targetId) };
}

async function closePopups(wire: Wire, { browserContextId, targetId }: Tab): Promise<void> {
  const { targetInfos } = await wire.send("Target.getTargets");
  if (!Array.isArray(targetInfos)) throw new Error("Chromium names no targets");
  for (const target of targetInfos)
    if (target.browserContextId === browserContextId && target.type === "page" && target.targetId !== targetId)
      await wire.send("Target.closeTarget", { targetId: target.targetId });
}
