import { agent } from "./agent";

export const apps = {
  instagramIos: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 330.0.3.29.108 (iPhone14,5; iOS 17_4_1; de_DE; de; scale=3.00; 1170x2532; 595227345)",
    "ios|mobile|Apple|iPhone|Instagram|17.4.1",
  ),
  instagramAndroid: agent(
    "Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 Instagram 331.0.0.37.90 Android (33/13; 450dpi; 1080x2177; samsung; SM-A536B; a53x; s5e8825; de_DE; 599490372)",
    "android|mobile|Samsung|SM-A536B|Instagram|13",
  ),
  facebookIos: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/20G75 [FBAN/FBIOS;FBAV/430.0.0.29.78;FBBV/511014397;FBDV/iPhone12,1;FBMD/iPhone;FBSN/iOS;FBSV/16.6;FBSS/2;FBID/phone;FBLC/en_US;FBOP/5]",
    "ios|mobile|Apple|iPhone|Facebook|16.6",
  ),
  facebookAndroid: agent(
    "Mozilla/5.0 (Linux; Android 12; SM-G991U Build/SP1A.210812.016; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/103.0.5060.129 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/375.1.0.28.111;]",
    "android|mobile|Samsung|SM-G991U|Facebook|12",
  ),
  tiktokAndroid: agent(
    "Mozilla/5.0 (Linux; Android 11; RMX3085 Build/RP1A.200720.011; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/96.0.4664.45 Mobile Safari/537.36 trill_2022109040 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/21.9.4 ByteLocale/en ByteFullLocale/en Region/GB BytedanceWebview/d8a21c6",
    "android|mobile|Realme|RMX3085|TikTok|11",
  ),
  tiktokIos: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 musical_ly_33.4.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en Region/US isDarkMode/1 WKWebView/1 RevealType/Dialog BytedanceWebview/d8a21c6 FalconTag/",
    "ios|mobile|Apple|iPhone|TikTok|17.2",
  ),
  snapchat: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 14_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Snapchat/11.12.1.28 (like Safari/8610.2.11.0.4, panda)",
    "ios|mobile|Apple|iPhone|Snapchat|14.2",
  ),
  wechat: agent(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.16(0x18001041) NetType/WIFI Language/zh_CN",
    "ios|mobile|Apple|iPhone|WeChat|15.0",
  ),
  googlebot: agent("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "other|||||"),
  facebookBot: agent("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "other|||||"),
  twitterbot: agent("Twitterbot/1.0", "other|||||"),
  slackbot: agent("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "other|||||"),
  curl: agent("curl/8.7.1", "other|||||"),
};
