import { agent } from "./agent";

export const computers = {
  ipadDesktop: agent(
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6 Safari/605.1.15",
    "desktop|desktop|Apple|Macintosh|Safari|10.15.6",
  ),
  windowsChrome: agent(
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    "desktop|desktop|||Chrome|10",
  ),
  windowsEdge: agent(
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.0.2478.80",
    "desktop|desktop|||Edge|10",
  ),
  windowsFirefox: agent(
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:126.0) Gecko/20100101 Firefox/126.0",
    "desktop|desktop|||Firefox|10",
  ),
  windows7: agent("Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko", "desktop|desktop|||IE|7"),
  windowsXp: agent("Mozilla/5.0 (Windows NT 5.1; rv:52.0) Gecko/20100101 Firefox/52.0", "desktop|desktop|||Firefox|XP"),
  operaWindows: agent(
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0.0.0 Safari/537.36 OPR/108.0.0.0",
    "desktop|desktop|||Opera|10",
  ),
  macSafari: agent(
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Safari/605.1.15",
    "desktop|desktop|Apple|Macintosh|Safari|10.15.7",
  ),
  macChrome: agent(
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    "desktop|desktop|Apple|Macintosh|Chrome|10.15.7",
  ),
  macFirefox: agent(
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:126.0) Gecko/20100101 Firefox/126.0",
    "desktop|desktop|Apple|Macintosh|Firefox|10.15",
  ),
  linuxFirefox: agent(
    "Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0",
    "desktop|desktop|||Firefox|",
  ),
  ubuntuFirefox: agent(
    "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0",
    "desktop|desktop|||Firefox|",
  ),
  fedora: agent(
    "Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:94.0) Gecko/20100101 Firefox/94.0",
    "desktop|desktop|||Firefox|",
  ),
  linuxChrome: agent(
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    "desktop|desktop|||Chrome|",
  ),
  chromeOs: agent(
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    "desktop|desktop|||Chrome|14541.0.0",
  ),
  freebsd: agent("Mozilla/5.0 (X11; FreeBSD amd64; rv:102.0) Gecko/20100101 Firefox/102.0", "other||||Firefox|"),
};
