/** What is typed, once it is a URL of the web; nothing before. */
export const wholeUrl = (typed: string): string => {
  const url = typed.trim();
  return /^https?:\/\/./i.test(url) && URL.canParse(url) ? url : "";
};
