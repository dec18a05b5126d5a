import type { AccountTheme } from "../look";
import { Page } from "../view";

/** Lists what is wrong with a draft, in the API's words. */
export const refusedDraft = (look: AccountTheme, alert: string, details: readonly string[]): string =>
  Page({
    look,
    title: alert,
    children: (
      <>
        <h1 safe>{alert}</h1>
        <ul class="list">
          {details.map((detail) => (
            <li dir="auto" safe>
              {detail}
            </li>
          ))}
        </ul>
      </>
    ),
  });
