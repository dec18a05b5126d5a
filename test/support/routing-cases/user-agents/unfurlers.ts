/** Real user agents of unfurlers (link preview bots), with the service that shows the preview. */
export const UNFURLERS: [service: string, userAgent: string][] = [
  ["Facebook", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"],
  ["Facebook", "Mozilla/5.0 (compatible; Meta-ExternalHit/1.1; +http://www.facebook.com/externalhit_uatext.php)"],
  // iMessage.
  [
    "Facebook",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
  ],
  ["X", "Twitterbot/1.0"],
  ["LinkedIn", "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)"],
  ["Slack", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"],
  ["Slack", "Slack-ImgProxy (+https://api.slack.com/robots)"],
  ["Discord", "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)"],
  ["Telegram", "TelegramBot (like TwitterBot)"],
  ["WhatsApp", "WhatsApp/2.23.20.0 A"],
  ["WhatsApp", "WhatsApp/2.19.92 i"],
  ["WhatsApp", "WhatsApp/2"],
  ["Mastodon", "http.rb/5.1.1 (Mastodon/4.2.8; +https://mastodon.social/) Bot"],
  ["Mastodon", "Mastodon/4.4.2 (http.rb/5.3.1; +https://mastodon.social/) Bot"],
  ["Bluesky", "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)"],
  ["Teams", "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com"],
  ["Teams", "Mozilla/5.0 (compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview)"],
];
