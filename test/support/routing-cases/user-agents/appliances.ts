import { agent } from "./agent";

export const appliances = {
  samsungTv: agent(
    "Mozilla/5.0 (SMART-TV; LINUX; Tizen 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/5.0 TV Safari/537.36",
    "other|smarttv|||Safari|5.0",
  ),
  lgTv: agent(
    "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.79 Safari/537.36 WebAppManager",
    "other|smarttv|||Chrome|TV",
  ),
  appleTv: agent("AppleTV11,1/11.1", "other|smarttv|Apple|Apple TV||"),
  chromecast: agent(
    "Mozilla/5.0 (Linux; Android 12; Chromecast) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.5735.61 Safari/537.36 CrKey/1.56.500000 DeviceType/AndroidTV",
    "android|smarttv|Google|Chromecast|Chrome|12",
  ),
  bravia: agent(
    "Mozilla/5.0 (Linux; Android 9; BRAVIA 4K UR2 Build/PTT1.190515.001.S104) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/89.0.4389.90 Safari/537.36",
    "android|smarttv|Sony|BRAVIA 4K UR2|Chrome|9",
  ),
  roku: agent("Roku4640X/DVP-7.70 (297.70E04154A)", "other|smarttv|Roku|DVP-7.70||"),
  ps5: agent(
    "Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15",
    "other|console|Sony|PlayStation 5|Safari|5",
  ),
  ps4: agent(
    "Mozilla/5.0 (PlayStation 4 3.11) AppleWebKit/537.73 (KHTML, like Gecko)",
    "other|console|Sony|PlayStation 4|WebKit|4",
  ),
  xboxOne: agent(
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/58.0.3029.110 Safari/537.36 Edge/16.16299",
    "other|console|Microsoft|Xbox One|Edge|One",
  ),
  xboxSeries: agent(
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/48.0.2564.82 Safari/537.36 Edge/20.02",
    "other|console|Microsoft|Xbox|Edge|Series X",
  ),
  switch: agent(
    "Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/606.4 (KHTML, like Gecko) NF/6.0.1.15.4 NintendoBrowser/5.1.0.20393",
    "other|console|Nintendo|Switch|WebKit|Switch",
  ),
  wiiU: agent(
    "Mozilla/5.0 (Nintendo WiiU) AppleWebKit/536.30 (KHTML, like Gecko) NX/3.0.4.2.12 NintendoBrowser/4.3.1.11264.US",
    "other|console|Nintendo|WiiU|WebKit|WiiU",
  ),
  galaxyWatch: agent(
    "Mozilla/5.0 (Linux; Tizen 4.0; SAMSUNG SM-R805W) AppleWebKit/537.3 (KHTML, like Gecko) SamsungBrowser/2.0 Chrome/51.0.2704.106 Mobile Safari/537.3",
    "other|wearable|Samsung|SM-R805W|Samsung Internet|4.0",
  ),
  glass: agent(
    "Mozilla/5.0 (Linux; Android 4.4.2; Glass 1 Build/XRV85B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/33.0.0.0 Mobile Safari/537.36",
    "android|wearable|Google|Glass|Chrome|4.4.2",
  ),
  quest: agent(
    "Mozilla/5.0 (X11; Linux x86_64; Quest 3) AppleWebKit/537.36 (KHTML, like Gecko) OculusBrowser/33.0.0.0 Chrome/124.0.6367.82 VR Safari/537.36",
    "other|xr|Facebook|Quest 3|Oculus Browser|",
  ),
};
