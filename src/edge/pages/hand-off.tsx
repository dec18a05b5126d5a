import type { PixelTag } from "@/core/pixels";
import type { PageTheme } from "../theme";
import { CopyScript, GoOn, type Onward } from "./go-on";
import { Layout } from "./layout";
import { Pixels } from "./pixels";

/** Before the App Store: its button takes the match token along on the pasteboard, so that the app opens where this led. */
export function handOffPage(look: PageTheme, onward: Onward, tags: readonly PixelTag[]): string {
  const { title, text, button } = look.words.store;
  return `<!doctype html>${(
    <Layout title={title} nonce={look.nonce} look={look}>
      <h1 safe>{title}</h1>
      <p safe>{text}</p>
      <GoOn onward={onward} text={button} isButton />
      <Pixels tags={tags} nonce={look.nonce} />
      <CopyScript onward={onward} look={look} />
    </Layout>
  )}`;
}
