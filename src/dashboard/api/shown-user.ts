/**
 * The user whom the page shows: whoever was signed in when it was opened. All its requests name them, so that nothing is
 * done as someone else who has signed in since in another tab.
 */
import { SHOWN_USER } from "@/core/headers/shown-user";
import type { Schemas } from "./client";

type User = Pick<Schemas["User"], "_id" | "email">;

let shown: User | undefined;

/** Called whenever the session has been read; the first user stays, as long as the page does. */
export const noteUser = (user: User): void => {
  shown ??= user;
};

export const shownUser = (): User | undefined => shown;

export const shownUserHeader = (): Record<string, string> => (shown ? { [SHOWN_USER]: shown._id } : {});
