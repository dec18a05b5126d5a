/** Returns a tag in the form in which it is stored. */
export const storedTag = (tag: string): string => tag.trim().normalize("NFC");
