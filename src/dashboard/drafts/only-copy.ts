/**
 * Knows whether the page has something that is nowhere else, such as text that was typed and not saved, so that the page
 * stays if the session ends.
 */
const holders: (() => boolean)[] = [];

/** Each module that holds something for the page adds a function that returns whether it does. */
export const holdPageWhile = (hasSome: () => boolean): void => void holders.push(hasSome);

export const hasOnlyCopy = (): boolean => holders.some((hasSome) => hasSome());
