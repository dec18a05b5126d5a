/** Self-signed certificates for tests. Encodes X.509 v3 in DER itself, because nothing built in makes certificates. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface Certificate {
  /** In PEM, as `node:tls` accepts it. */
  cert: string;
  key: string;
}

export interface CertificateOptions {
  names: string[];
  from?: Date;
  until?: Date;
}

const YEAR_MS = 365 * 24 * 3_600_000;
const [BOOLEAN, INTEGER, BITS, OCTETS, OID, UTF8, UTC_TIME, SEQUENCE, SET] = [1, 2, 3, 4, 6, 12, 23, 48, 49];

/** Makes a self-signed certificate. Clients trust it if they are given it as a certificate authority. */
export function makeCertificate({ names, from, until }: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const details = toBeSigned(
    names,
    from ?? new Date(Date.now() - YEAR_MS),
    until ?? new Date(Date.now() + YEAR_MS),
    publicKey,
  );
  const signature = sign("sha256", details, privateKey);
  const der = field(SEQUENCE, details, ECDSA_SHA256, field(BITS, Buffer.of(0), signature));
  // OpenSSL does not read a file with an empty line in it.
  const lines = der.toString("base64").replaceAll(/.{64}(?=.)/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function toBeSigned(names: string[], from: Date, until: Date, publicKey: KeyObject): Buffer {
  const commonName = field(SEQUENCE, oid("2.5.4.3"), field(UTF8, Buffer.from("Waymark tests")));
  const name = field(SEQUENCE, field(SET, commonName));
  const altNames = field(SEQUENCE, ...names.map((dns) => field(0x82, Buffer.from(dns))));
  const isAuthority = field(SEQUENCE, field(BOOLEAN, Buffer.of(0xff)));
  const extensions = field(
    SEQUENCE,
    field(SEQUENCE, oid("2.5.29.17"), field(OCTETS, altNames)),
    field(SEQUENCE, oid("2.5.29.19"), field(OCTETS, isAuthority)),
  );
  return field(
    SEQUENCE,
    field(0xa0, field(INTEGER, Buffer.of(2))),
    field(INTEGER, Buffer.of(1)),
    ECDSA_SHA256,
    name,
    field(SEQUENCE, utcTime(from), utcTime(until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    field(0xa3, extensions),
  );
}

function field(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  return field(OID, Buffer.of(first * 40 + second, ...rest.flatMap(base128)));
}

function base128(value: number): number[] {
  const bytes = [value & 127];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 127) | 128);
  return bytes;
}

/** `YYMMDDHHMMSSZ` */
const utcTime = (at: Date): Buffer =>
  field(UTC_TIME, Buffer.from(`${at.toISOString().slice(2, 19).replaceAll(/[-:T]/g, "")}Z`));

const ECDSA_SHA256 = field(SEQUENCE, oid("1.2.840.10045.4.3.2"));
