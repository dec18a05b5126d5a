/** Returns the trimmed input if it is a complete http(s) URL, otherwise an empty string. */
export const wholeUrl = (typed: string): string => {
  const url = typed.trim();
  return /^https?:\/\/./i.test(url) && URL.canParse(url) ? url : "";
};
