/** The host that a webhook leads to, as what is sent there is counted: on whatever port, with or without the root's dot. */
export const hostOf = (url: string): string => URL.parse(url)?.hostname.replace(/\.$/, "") ?? url;
