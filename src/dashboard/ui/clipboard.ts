/**
 * Copies text to the clipboard. Call these functions while the page handles a user action; they resolve to whether it
 * worked. A page served neither over https nor from this machine has no clipboard API, so the text is copied as a
 * selection instead.
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

/**
 * Copies text that is not available yet. The browser is given the promise, because by the time it resolves, the user
 * action is over.
 */
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

/** Keeps the focus where it is, even in a dialog. */
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
