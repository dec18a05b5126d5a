/**
 * Copies what is not known yet: a browser lets a page write to the clipboard only while it handles what the person did, so
 * it is handed the promise of the text.
 */
export async function copyWhenKnown(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((known) => new Blob([known], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    return true;
  } catch {
    return false;
  }
}
