/** Countries by ISO 3166-1 code, and guesses at the country meant by other text. */
import { foldName } from "../names/fold";

/** Each entry is alpha-2 followed by alpha-3. */
const TABLE = `
  ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB
  BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR
  BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR
  CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK
  FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS
  GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN
  ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO
  LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
  MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER
  NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
  PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP
  SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF
  TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY
  UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE
`;
/** Not part of the standard, but the code for Kosovo in every geography database. */
const KOSOVO = "XKXKX";

const PAIRS = [...TABLE.trim().split(/\s+/), KOSOVO].map((pair) => [pair.slice(0, 2), pair.slice(2)] as const);
const CODES = new Set(PAIRS.map(([code]) => code));

/** Codes in daily use that the standard does not assign, or has withdrawn. */
const ALIASES = new Map(Object.entries({ UK: "GB", EL: "GR", SU: "RU", BU: "MM", TP: "TL", ZR: "CD", FX: "FR" }));
const NICKNAMES = new Map(
  Object.entries({
    america: "US",
    britain: "GB",
    "czech republic": "CZ",
    england: "GB",
    burma: "MM",
    "cape verde": "CV",
    "great britain": "GB",
    holland: "NL",
    "ivory coast": "CI",
    macedonia: "MK",
    scotland: "GB",
    swaziland: "SZ",
    turkey: "TR",
    uae: "AE",
    wales: "GB",
  }),
);
/** Languages whose country names are searched. */
const NAMING_LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr"];

/** Returns what is wrong, as the text after a field's name, or undefined. Ignores case. */
export function countryFault(text: string): string | undefined {
  if (isCountry(text)) return undefined;
  const meant = recognizeCountry(text);
  return meant
    ? `${JSON.stringify(text)} is not an ISO 3166-1 country code; did you mean ${meant}?`
    : "expected an ISO 3166-1 alpha-2 country code, like DE";
}

export const isCountry = (text: string): boolean => CODES.has(text.toUpperCase());

export function recognizeCountry(text: string): string | undefined {
  const name = foldName(text.trim());
  const code = name.toUpperCase();
  if (CODES.has(code)) return code;
  return ALIASES.get(code) ?? NICKNAMES.get(name) ?? byAlpha3(code) ?? names().get(name);
}

const byAlpha3 = (code: string): string | undefined => PAIRS.find(([, alpha3]) => alpha3 === code)?.[0];

/** Built on the first search by name: a few thousand entries. */
let known: Map<string, string> | undefined;

function names(): Map<string, string> {
  known ??= new Map(
    NAMING_LANGUAGES.toReversed().flatMap((language) => {
      const display = new Intl.DisplayNames(language, { type: "region" });
      return [...CODES].map((code) => [foldName(display.of(code) ?? code), code] as const);
    }),
  );
  return known;
}
