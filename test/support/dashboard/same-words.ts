/** Dashboard texts that are spelled the same in another language as in English. */
import type { Language } from "@/core/pages/page-languages";

/** Names that are the same in every language. */
export const NAMES: ReadonlySet<string> = new Set([
  ...["Firebase Dynamic Links", "Dub", "Shlink", "Bitly", "YOURLS", "Kutt", "Sink", "Rebrandly", "Short.io", "Waymark"],
  ...["Meta", "Google", "TikTok", "LinkedIn", "X", "Pinterest", "Snapchat", "Free", "Pro", "Scale"],
  ...["Android", "iOS", "iPhone", "apple-app-site-association", "assetlinks.json", "URL", "Slug", "‹1› MB", "‹1› ms"],
  ...["OK", "https://example.com/page"],
]);

const listed = (texts: string): readonly string[] => texts.split(", ");

/** The complete list: any other text that equals the English one was left untranslated. */
export const SAME_AS_ENGLISH: Record<Exclude<Language, "en">, readonly string[]> = {
  de: listed(
    "Admin, App, Apps, Bot, Branding, Browser, Button, Code, Conversions, Crawler, Desktop, Domain, Domains, " +
      "Icon, Import, Issuer, Leads, Link, Link: ‹1›, Links, Live, Logo, Medium, Name, Parameter, Person, " +
      "Referrer, Region, Score ‹1›, Secret, Simulator, Split, Status, System, Tablet, Tag, Tag: ‹1›, Tags, " +
      "Text, Unlimited, Version ‹1›, Webhooks",
  ),
  fr: listed(
    "Action, Actions, Admin, Anomalies, Assistant, Avatar, Bot, Bundle ID, Code, Collision, Condition, Conversions, " +
      "Description, Destination, Direct, Endpoint, Image, Import, Leads, Logo, Message, Notes, Options, Page, " +
      "Pages, Pause, Pixels, Provider token, QR code, QR codes, Score ‹1›, Secret, Signature, Source, Sources, Tag, Tags, Team ID, " +
      "Type, Unlimited, Version ‹1›, Webhooks",
  ),
  es: listed("Avatar, Bot, Bundle ID, Color, Endpoint, Leads, Team ID, Webhooks, no"),
  pt: listed(
    "Avatar, Bot, Bundle ID, Endpoint, Insights, Item ‹1›, Leads, Link, Link: ‹1›, Links, Pixels, Tablet, " +
      "Tag, Tag: ‹1›, Tags, Team ID, Webhooks",
  ),
  it: listed(
    "Account, Account ‹1›, App, Audit log, Avatar, Bot, Browser, Bundle ID, Crawler, Endpoint, File, Link, " +
      "Link: ‹1›, Logo, Password, Provider, Referrer, Rollback, Single sign-on, Tablet, Tag, Tag: ‹1›, Team ID, Workspace, no",
  ),
  nl: listed(
    "Account, App, Apps, Avatar, Bot, Browser, Code, Content, Crawler, Desktop, Direct, Endpoint, Event, " +
      "Events, Import, Issuer, Label, Leads, Link, Link: ‹1›, Links, Live, Logo, Medium, Model, Parameter, " +
      "Pixels, Platform, Query, Records, Resource, Route, Routes, Score ‹1›, Simulator, Single sign-on, " +
      "Social preview, Status, Tablet, Tag, Tag: ‹1›, Tags, Type, Variant, Variant ‹1›, Webhooks",
  ),
};
