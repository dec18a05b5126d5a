/** Returns the host by which a webhook's traffic is counted, whatever its port, without the root's trailing dot. */
export const hostOf = (url: string): string => URL.parse(url)?.hostname.replace(/\.$/, "") ?? url;
