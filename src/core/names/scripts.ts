/**
 * Checks that a text uses a single writing system, as a defense against look-alikes (Unicode UTS 39, "single
 * script"): Latin `a` next to Cyrillic `а` fails. Japanese, Korean and Chinese each combine several scripts.
 */
const SYSTEMS: readonly string[][] = [
  ["Latin"],
  ["Cyrillic"],
  ["Greek"],
  ["Han", "Hiragana", "Katakana"],
  ["Han", "Hangul"],
  ["Han", "Bopomofo"],
  ...[
    "Adlam Arabic Armenian Balinese Bamum Batak Bengali Buginese Canadian_Aboriginal Chakma Cham Cherokee Coptic",
    "Devanagari Ethiopic Georgian Gujarati Gurmukhi Hanifi_Rohingya Hebrew Javanese Kannada Kayah_Li Khmer Lao Lepcha",
    "Limbu Lisu Malayalam Mandaic Meetei_Mayek Miao Mongolian Myanmar New_Tai_Lue Newa Nko Nyiakeng_Puachue_Hmong",
    "Ol_Chiki Oriya Osage Phags_Pa Rejang Samaritan Saurashtra Sinhala Sundanese Syloti_Nagri Syriac Tagalog Tai_Le",
    "Tai_Tham Tai_Viet Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Wancho Warang_Citi Yi",
  ]
    .flatMap((names) => names.split(" "))
    .map((name) => [name]),
];

/** Characters of every script: digits, punctuation, and marks that take the script of their letter. */
const SHARED = String.raw`\p{scx=Common}\p{scx=Inherited}`;

const systemsOf = () =>
  SYSTEMS.map((scripts) => {
    const letters = scripts.map((script) => `\\p{scx=${script}}`).join("");
    return {
      whole: new RegExp(`^[${letters}${SHARED}]*$`, "u"),
      letter: new RegExp(`(?![${SHARED}])[${letters}]`, "u"),
    };
  });

/** Built when the first slug is checked, which never happens in most threads. */
let made: ReturnType<typeof systemsOf> | undefined;

/** True if the text uses one writing system. Scripts that nobody writes any more are not distinguished. */
export function isSingleScript(text: string): boolean {
  made ??= systemsOf();
  const systems = made;
  return systems.some(({ whole }) => whole.test(text)) || !systems.some(({ letter }) => letter.test(text));
}
