/**
 * The browser of this process, one for all its test files, and its tabs. Each tab has a context of its own, so that two of
 * them share nothing. A tab that was given back is emptied and used again: its renderer still holds the scripts compiled,
 * and opens the dashboard at a third of what a new one takes.
 */
import { atEndOfRun, onDeathOfRun } from "../end-of-run";
import { BROWSER } from "../servers/system-program";
import { BROWSER_FLAGS, launchChromium, type Wire } from "./chromium";

/** Ends whatever the browser started, and removes its folder. */
const CLEAN_UP = 'kill -s KILL -- "-$1"; rm -rf "$2"';

/**
 * A page of a test runs its scripts once or twice, and compiling them for many more runs takes longer than it saves. Not for
 * measuring, where the compilers belong to what a person waits for.
 */
const FEW_RUNS = "--js-flags=--no-opt,--no-maglev";

export interface Tab {
  browserContextId: string;
  targetId: string;
}

export interface OwnBrowser {
  wire: Wire;
  takeTab(): Promise<Tab>;
  /** Of a tab that was left: with its cookies, and with what these origins keep. */
  giveBack(tab: Tab, origins: Iterable<string>): Promise<void>;
  /** Closes it for good. */
  drop(tab: Tab): Promise<void>;
}

let own: Promise<OwnBrowser> | undefined;

/** Ends with this process. */
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
    async giveBack(tab, origins) {
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
