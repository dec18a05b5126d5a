/** Rows of YOURLS's tables in SQL dumps, as different programs write them, wherever the text is split into pieces. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DumpFault, DumpReader } from "@/core/imports/sql/dump-reader";
import { dumpEncoding, isSql, sqlFault } from "@/core/imports/sql/sniff-sql";

const LINK = ["keyword", "url", "title", "timestamp", "ip", "clicks"];
const CLICK = ["click_id", "click_time", "shorturl", "referrer", "user_agent", "ip_address", "country_code"];

function readIn(pieces: readonly string[], wanted = { url: LINK, log: CLICK }) {
  const reader = new DumpReader(wanted);
  const rows = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  return { url: rowsOf("url"), log: rowsOf("log") };

  function rowsOf(name: "url" | "log") {
    return rows.flatMap(({ table, values }) => (table === name ? [values] : []));
  }
}

const read = (text: string) => readIn([text]);
const splits = (text: string) =>
  Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);
const faultOf = (text: string): string => {
  try {
    return `${read(text).url.length} links`;
  } catch (error) {
    if (error instanceof DumpFault) return error.message;
    throw error;
  }
};

const ESCAPES: Record<string, string> = {
  ...{ "\0": "\\0", "\n": "\\n", "\r": "\\r", "\\": "\\\\", "'": "\\'", '"': '\\"', "\u001a": "\\Z" },
};
const escaped = (text: string): string => [...text].map((each) => ESCAPES[each] ?? each).join("");
const hexOf = (text: string): string => Buffer.from(text).toString("hex");

/** The ways in which programs write text. Empty text in hexadecimal digits is always in quotes. */
const WAYS: ((text: string) => string)[] = [
  (text) => `'${escaped(text)}'`,
  (text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`,
  (text) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '""')}"`,
  (text) => `_binary '${escaped(text)}'`,
  (text) => `_utf8mb4'${escaped(text)}'`,
  (text) => (text === "" ? "''" : `0x${hexOf(text).toUpperCase()}`),
  (text) => `X'${hexOf(text)}'`,
];
const HEADS = [
  "INSERT INTO `yourls_url`",
  "INSERT IGNORE INTO yourls_url",
  "REPLACE INTO `shop`.`yourls_url`",
  "insert delayed into shop . url",
  'INSERT INTO "my ``s_url"',
  "/*!40000 REPLACE LOW_PRIORITY INTO `url`",
];
const BETWEEN = [
  ...["", "\n", "\r\n-- a comment; it's one\r\n", "# another 'one\n", "/* one (1,2); '*/", "/*M!100616 SET @A=1 */;"],
  "INSERT INTO `yourls_options` VALUES (1,'a;b\\'','c'),(2,NULL,0x);\n",
  "DELIMITER ;;\nCREATE TRIGGER t BEFORE INSERT ON x BEGIN INSERT INTO yourls_url VALUES (NEW.a); END ;;\nDELIMITER ;\n",
  "/*!50001 CREATE VIEW `v` AS select 'it''s;', 1 -- 2\n */;",
  "LOCK TABLES `yourls_url` WRITE;\n/*!40000 ALTER TABLE `yourls_url` DISABLE KEYS */;\n",
];

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '"',
      "\\",
      "`",
      ";",
      "(",
      ")",
      ",",
      "-",
      "#",
      "/",
      "*",
      "\n",
      "\r",
      "\0",
      "\u001a",
      " ",
      "é",
      "n",
      "%",
      "_",
    ),
  }),
);
const row = fc.record({
  values: fc.tuple(...LINK.map(() => fc.option(text))),
  way: fc.nat(WAYS.length - 1),
  gap: fc.constantFrom("", " ", "\n\t"),
});
const dump = fc
  .record({
    rows: fc.array(row, { minLength: 1, maxLength: 4 }),
    order: fc.shuffledSubarray(LINK, { minLength: LINK.length }),
    isListed: fc.boolean(),
    isOneEach: fc.boolean(),
    head: fc.constantFrom(...HEADS),
    between: fc.constantFrom(...BETWEEN),
  })
  .map(({ rows, order, isListed, isOneEach, head, between }) => {
    const columns = isListed ? order : LINK;
    const written = rows.map(({ values, way, gap }) => {
      const cells = columns.map((name) => {
        const value = values[LINK.indexOf(name)] ?? null;
        return value === null ? "NULL" : (WAYS[way]?.(value) ?? "");
      });
      return `(${cells.join(`${gap},`)}${gap})`;
    });
    const list = isListed ? ` (${columns.map((name) => `\`${name}\``).join(", ")})` : "";
    const end = head.startsWith("/*") ? " */;" : ";";
    const statements = isOneEach ? written : [written.join(",")];
    const parts = statements.map((tuples) => `${head}${list} VALUES ${tuples}${end}`);
    const all = rows.map(({ values }) => values);
    return { sql: `${between}${parts.map((part) => `${part}${between}`).join("")}`, rows: all, between, parts };
  });

describe("what is written is read back", () => {
  test("whatever the values are, however they are written, and at whatever character the text is split", () => {
    fc.assert(
      fc.property(dump, ({ sql, rows }) => {
        expect(read(sql).url).toEqual(rows);
        for (const pieces of splits(sql)) expect(readIn(pieces).url).toEqual(rows);
        expect(readIn([...sql]).url).toEqual(rows);
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  test("a file that is cut off within a statement is never taken for a whole one", () => {
    fc.assert(
      fc.property(dump, ({ rows, between, parts }) => {
        let whole = between;
        for (const [index, part] of parts.entries()) {
          const before = rows.slice(0, parts.length > 1 ? index : 0);
          expect(read(whole).url).toEqual(before);
          for (let cut = part.search(/[a-z]/i) + 1; cut < part.length; cut++)
            expect(faultOf(whole + part.slice(0, cut))).toStartWith("The file ends in the middle of");
          whole += part + between;
        }
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });
});

const MYSQLDUMP = `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: yourls
-- ------------------------------------------------------
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
/*!40103 SET TIME_ZONE='+00:00' */;

DROP TABLE IF EXISTS \`yourls_log\`;
CREATE TABLE \`yourls_log\` (
  \`click_id\` int NOT NULL AUTO_INCREMENT,
  \`click_time\` datetime NOT NULL,
  \`shorturl\` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  \`referrer\` varchar(200) COLLATE utf8mb4_unicode_ci NOT NULL,
  \`user_agent\` varchar(255) NOT NULL,
  \`ip_address\` varchar(41) NOT NULL,
  \`country_code\` char(2) NOT NULL,
  PRIMARY KEY (\`click_id\`),
  KEY \`shorturl\` (\`shorturl\`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4;
LOCK TABLES \`yourls_log\` WRITE;
INSERT INTO \`yourls_log\` VALUES (1,'2019-04-02 11:21:00','promo','https://t.co/x','Mozilla/5.0','203.0.113.9','DE'),(2,'2019-04-03 00:00:01','promo','','','','');
UNLOCK TABLES;
DROP TABLE IF EXISTS \`yourls_url\`;
CREATE TABLE \`yourls_url\` (
  \`keyword\` varchar(100) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  \`url\` text NOT NULL,
  \`timestamp\` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP COMMENT 'when, (as said); -- or so',
  \`price\` decimal(10,2) /*!80023 INVISIBLE */ DEFAULT '0.00', -- added by a plugin
  title text,
  \`ip\` varchar(41) NOT NULL,
  \`clicks\` int unsigned NOT NULL,
  PRIMARY KEY (\`keyword\`), KEY \`url_idx\` (\`url\`(30)), UNIQUE KEY \`key\` (\`timestamp\`), CHECK (\`clicks\` >= 0)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO \`yourls_url\` VALUES ('promo','https://acme.com/p','2019-04-02 11:20:05',1.50,'Pro\\'mo','203.0.113.7',4211);
-- Dump completed on 2024-01-01  0:00:00`;

test("columns are in the order of the file's own CREATE TABLE", () => {
  for (const pieces of splits(MYSQLDUMP))
    expect(readIn(pieces)).toEqual({
      url: [["promo", "https://acme.com/p", "Pro'mo", "2019-04-02 11:20:05", "203.0.113.7", "4211"]],
      log: [
        ["1", "2019-04-02 11:21:00", "promo", "https://t.co/x", "Mozilla/5.0", "203.0.113.9", "DE"],
        ["2", "2019-04-03 00:00:01", "promo", "", "", "", ""],
      ],
    });
});

test.each([
  ["a table of another kind that is named alike", "CREATE TABLE a_url (id int); INSERT INTO a_url VALUES (1);"],
  ["a table of another kind, without its columns", "INSERT INTO a_url VALUES (1),(2);"],
  ["a table that only begins with the name", "INSERT INTO yourls_url_old VALUES ('a','b','c','d','e',6);"],
  ["other statements", "CREATE DATABASE url; USE url; INSERT INTO a_url SELECT * FROM b; UPDATE a_url SET url = '(;';"],
])("%s is skipped", (_, sql) => {
  expect(read(`${sql}\nINSERT INTO x_url VALUES ('z','b','c','d','e',6);`).url).toEqual([
    ["z", "b", "c", "d", "e", "6"],
  ]);
});

test("what an INSERT does with rows that exist is passed over", () => {
  const sql = "INSERT INTO url (url, keyword) VALUES ('b','a') ON DUPLICATE KEY UPDATE url = VALUES(url), title = ';';";
  expect(read(sql + sql.replace("'a'", "'c'")).url.map(([keyword]) => keyword)).toEqual(["a", "c"]);
});

test("what is skipped is not held, however long it is", () => {
  const reader = new DumpReader({ url: LINK });
  const blob = "x\\'".repeat(100_000);
  reader.push("INSERT INTO a VALUES ('");
  for (let piece = 0; piece < 5; piece++) reader.push(blob);
  reader.push("\\");
  reader.push("'; /* not yet ');\n--");
  for (let piece = 0; piece < 5; piece++) reader.push(`${blob}''`);
  expect(reader.push("');INSERT INTO url (keyword,url) VALUES ('a','b');")).toEqual([
    { table: "url", values: ["a", "b", null, null, null, null] },
  ]);
  expect(reader.end()).toEqual([]);
});

describe("a fault names its place", () => {
  const row = "('a','b','c','d','e',6)";
  const insert = `INSERT INTO yourls_url VALUES ${row}`;
  test.each([
    [
      "cut off within a row",
      `${insert},('b','htt`,
      "The file ends in the middle of yourls_url, after row 1 of yourls_url: export it again",
    ],
    [
      "cut off after a comma",
      `${insert},`,
      "The file ends in the middle of yourls_url, after row 1 of yourls_url: export it again",
    ],
    [
      "cut off before its semicolon",
      insert,
      "The file ends in the middle of yourls_url, after row 1 of yourls_url: export it again",
    ],
    [
      "cut off in another table",
      `${insert};INSERT INTO a VALUES (1`,
      "The file ends in the middle of a statement, after row 1 of yourls_url: export it again",
    ],
    [
      "cut off within a comment",
      `${insert};/* `,
      "The file ends in the middle of a statement, after row 1 of yourls_url: export it again",
    ],
    [
      "a call in place of a value",
      `${insert},('b',now(),3,4,5,6);`,
      'Row 2 of yourls_url cannot be read at "(),3,4,5,6);"',
    ],
    [
      "an introducer without its name",
      `${insert},('b',_,3,4,5,6);`,
      'Row 2 of yourls_url cannot be read at "_,3,4,5,6);"',
    ],
    ["no value", `${insert},('b',,3,4,5,6);`, 'Row 2 of yourls_url cannot be read at ",3,4,5,6);"'],
    ["no row", `${insert},;`, 'Row 2 of yourls_url cannot be read at ";"'],
    ["a value too few", `${insert},('b',2,3,4,5);`, "Row 2 of yourls_url has 5 values for 6 columns"],
    [
      "a row without an end",
      `${insert},('${"x".repeat(1_000_001)}`,
      "A statement is too long, after row 1 of yourls_url",
    ],
    [
      "two tables of links",
      `${insert};INSERT INTO other_url VALUES ${row};`,
      "The dump has two tables of links, yourls_url and other_url: export those of one YOURLS alone",
    ],
    [
      "two dumps in one",
      `${insert};CREATE TABLE yourls_url (keyword int, url int);`,
      "The dump has yourls_url twice: export those of one YOURLS alone",
    ],
    [
      "two tables of clicks",
      "INSERT INTO a_log VALUES (1,2,3,4,5,6,7);INSERT INTO b_log VALUES (1,2,3,4,5,6,7);",
      "The dump has two tables of clicks, a_log and b_log: export those of one YOURLS alone",
    ],
  ])("%s", (_, sql, fault) => {
    expect(faultOf(sql)).toBe(fault);
  });
});

describe("an SQL file is recognized by its beginning", () => {
  test.each([
    MYSQLDUMP,
    "/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\n/*!40101 SET NAMES utf8mb4 */;",
    '-- phpMyAdmin SQL Dump\r\n-- version 5.2.1\r\n\r\nSET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";',
    "-- Adminer 4.8.1 MySQL 8.0 dump\n\nSET NAMES utf8;\nSET time_zone = '+00:00';",
    "/*\nNavicat MySQL Data Transfer\n*/\n\nSET FOREIGN_KEY_CHECKS=0;",
    "# a comment\ninsert  into url values ('a')",
    "\n\nDROP TABLE IF EXISTS `yourls_url`;",
    "CREATE TABLE yourls_url (",
    "REPLACE INTO `a`.`url` VALUES",
    "USE `yourls`;\n",
    "START TRANSACTION;",
  ])("%#", (sql) => expect(isSql(sql)).toBe(true));

  test.each([
    "keyword,url\nset,https://acme.com/",
    "set name,url\n",
    "use case,url\n",
    "#,url\n1,https://acme.com/\n",
    "-- a,url\n",
    "create,url",
    "/* a,url",
    "",
  ])("%j is none", (csv) => expect(isSql(csv)).toBe(false));

  test.each([
    ["/*!50503 SET NAMES utf8mb4 */;", "utf-8"],
    ["SET NAMES 'utf8';", "utf-8"],
    ["-- MySQL dump\n/*!40101 SET NAMES latin1 */;", "windows-1252"],
    ["/*!40101 SET NAMES binary */;", undefined],
    ["INSERT INTO a VALUES ('SET NAMES latin1');", undefined],
  ])("%s is in %s", (sql, encoding) =>
    expect([dumpEncoding(sql), sqlFault(sql, false)]).toEqual([encoding, undefined]),
  );

  test.each([
    [
      "--\n-- PostgreSQL database dump\n--\n\nSET statement_timeout = 0;",
      "it is a dump of PostgreSQL; YOURLS has its links in MySQL or MariaDB",
    ],
    [
      "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;",
      "it is a dump of SQLite; YOURLS has its links in MySQL or MariaDB",
    ],
    ["SET NAMES gbk;", "it is written in gbk; export it as utf8mb4"],
    [
      "CREATE TABLE a (b int); INSERT INTO a VALUES (1);",
      "the dump has no table of YOURLS links: export the one whose name ends in url, too",
    ],
    ["INSERT INTO a VALUES (1", "the file ends in the middle of a statement: export it again"],
    ["CREATE TABLE yourls_url (keyword int, url int);", undefined],
  ])("%j", (sql, fault) => expect(sqlFault(sql, true)).toBe(fault));
});
