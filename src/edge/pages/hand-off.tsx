import type { PixelTag } from "@/core/pixels";
import type { PageTheme } from "../theme";
import { CopyScript, GoOn, type Onward } from "./go-on";
import { Layout } from "./layout";
import { Pixels } from "./pixels";

/** Before the App Store: its button takes the match token along on the pasteboard, so that the app opens where this led. */
export function handOffPage(theme: PageTheme, onward: Onward, tags: readonly PixelTag[]): string {
  const { title, text, button } = theme.words.store;
  return `<!doctype html>${(
    <Layout title={title} nonce={theme.nonce} theme={theme}>
      <h1 safe>{title}</h1>
      <p safe>{text}</p>
      <GoOn onward={onward} text={button} isButton />
      <Pixels tags={tags} nonce={theme.nonce} />
      <CopyScript onward={onward} theme={theme} />
    </Layout>
  )}`;
}
