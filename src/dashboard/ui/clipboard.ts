/**
 * Copies. Each is to be called while the page handles what a person did, and resolves with whether it came to it. A page that
 * does not come by https, nor from this machine, has no clipboard: there, what is selected is copied.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (!isSecureContext) return copySelected(text);
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** What is not known yet: browsers are handed the promise, since by then the page handles it no longer. */
export async function copyWhenKnown(text: Promise<string>): Promise<boolean> {
  try {
    if (!isSecureContext) return copySelected(await text);
    const blob = text.then((known) => new Blob([known], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    return true;
  } catch {
    return false;
  }
}

/** The focus stays where it is, in a dialog as well. */
function copySelected(text: string): boolean {
  const copied = document.createElement("span");
  copied.className = "hidden";
  copied.textContent = text;
  copied.addEventListener("copy", (event) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  });
  document.body.append(copied);
  getSelection()?.selectAllChildren(copied);
  const isCopied = document.execCommand("copy");
  copied.remove();
  return isCopied;
}
