import { agent } from "./agent";

export const phones = {
  iphoneSafari: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Mobile/15E148 Safari/604.1",
    "ios|mobile|Apple|iPhone|Mobile Safari|17.4.1",
  ),
  /** From iOS 26 on, Safari always states the last version before it; its own version is the system's. */
  iphone26: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.2 Mobile/15E148 Safari/604.1",
    "ios|mobile|Apple|iPhone|Mobile Safari|26.2",
  ),
  ipad26: agent(
    "Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0.1 Mobile/15E148 Safari/604.1",
    "ios|tablet|Apple|iPad|Mobile Safari|26.0.1",
  ),
  iphone16: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",
    "ios|mobile|Apple|iPhone|Mobile Safari|16.6",
  ),
  iphoneOld: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1",
    "ios|mobile|Apple|iPhone|Mobile Safari|12.5.7",
  ),
  iphoneChrome: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/125.0.6422.80 Mobile/15E148 Safari/604.1",
    "ios|mobile|Apple|iPhone|Chrome|17.5",
  ),
  iphoneFirefox: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 14_4_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/126.0 Mobile/15E148 Safari/605.1.15",
    "ios|mobile|Apple|iPhone|Firefox|14.4.2",
  ),
  iphoneEdge: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 EdgiOS/124.2478.71 Mobile/15E148 Safari/604.1",
    "ios|mobile|Apple|iPhone|Edge|17.4.1",
  ),
  ipad: agent(
    "Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 Mobile/15E148 Safari/604.1",
    "ios|tablet|Apple|iPad|Mobile Safari|12.2",
  ),
  ipad17: agent(
    "Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/124.0.6367.88 Mobile/15E148 Safari/604.1",
    "ios|tablet|Apple|iPad|Chrome|17.4",
  ),
  pixel8: agent(
    "Mozilla/5.0 (Linux; Android 14; Pixel 8 Pro) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.6367.82 Mobile Safari/537.36",
    "android|mobile||Pixel 8 Pro|Chrome|14",
  ),
  pixel6: agent(
    "Mozilla/5.0 (Linux; Android 13; Pixel 6) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/116.0.0.0 Mobile Safari/537.36",
    "android|mobile|Google|Pixel 6|Chrome|13",
  ),
  /** Chrome states this version and model on every Android device. */
  reduced: agent(
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36",
    "android|mobile|||Chrome|10+",
  ),
  reducedTablet: agent(
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    "android|tablet|||Chrome|10+",
  ),
  galaxyS23: agent(
    "Mozilla/5.0 (Linux; Android 13; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Mobile Safari/537.36",
    "android|mobile|Samsung|SM-S911B|Chrome|13",
  ),
  samsungInternet: agent(
    "Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
    "android|mobile|Samsung|SM-S918B|Samsung Internet|14",
  ),
  galaxyTab: agent(
    "Mozilla/5.0 (Linux; Android 12; SM-X906C Build/QP1A.190711.020; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/80.0.3987.119 Mobile Safari/537.36",
    "android|tablet|Samsung|SM-X906C|Chrome WebView|12",
  ),
  galaxyTabS7: agent(
    "Mozilla/5.0 (Linux; Android 11; SM-T870) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0.4664.104 Safari/537.36",
    "android|tablet|Samsung|SM-T870|Chrome|11",
  ),
  redmi: agent(
    "Mozilla/5.0 (Linux; Android 12; Redmi Note 9 Pro) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/115.0.0.0 Mobile Safari/537.36",
    "android|mobile|Xiaomi|Redmi Note 9 Pro|Chrome|12",
  ),
  firefoxAndroid: agent(
    "Mozilla/5.0 (Android 14; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0",
    "android|mobile|||Firefox|14",
  ),
  huawei: agent(
    "Mozilla/5.0 (Linux; Android 10; VOG-L29) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Mobile Safari/537.36",
    "android|mobile|Huawei|VOG-L29|Chrome|10",
  ),
  harmony: agent(
    "Mozilla/5.0 (Phone; OpenHarmony 4.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile",
    "other|mobile|||Chrome|4.1",
  ),
  oneplus: agent(
    "Mozilla/5.0 (Linux; Android 13; CPH2449) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36",
    "android|mobile|OPPO|CPH2449|Chrome|13",
  ),
  kindleFire: agent(
    "Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/108.4.6 like Chrome/108.0.5359.160 Safari/537.36",
    "android|tablet|Amazon|KFMAWI|Silk|9",
  ),
  android4: agent(
    "Mozilla/5.0 (Linux; U; Android 4.0.3; de-de; GT-I9100 Build/IML74K) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",
    "android|mobile|Samsung|GT-I9100|Android Browser|4.0.3",
  ),
  operaMini: agent(
    "Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16",
    "android||||Opera Mini|",
  ),
  nokia: agent(
    "Mozilla/5.0 (Mobile; Nokia_2720_Flip; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5.2",
    "other|mobile|Nokia|2720 Flip|Firefox|2.5.2",
  ),
  blackberry: agent(
    "Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ (KHTML, like Gecko) Version/10.0.9.2372 Mobile Safari/537.10+",
    "other|mobile|BlackBerry|Touch|Safari|10",
  ),
  windowsPhone: agent(
    "Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063",
    "other|mobile|Microsoft|Lumia 950|Edge|10.0",
  ),
  duckAndroid: agent(
    "Mozilla/5.0 (Linux; Android 12) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/105.0.5195.136 Mobile DuckDuckGo/5 Safari/537.36",
    "android|mobile|||DuckDuckGo|12",
  ),
};
