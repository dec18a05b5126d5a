/** What a host's certificate states, for those who monitor it. */
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

export interface TlsFacts {
  /** Names that the certificate is valid for, as written in it: `DNS:*.example.com`. */
  altNames: string[];
  issuer: string;
  validFrom: Date;
  validUntil: Date;
}

export function describeCertificate(socket: Socket): TlsFacts | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { subjectaltname, issuer, valid_from, valid_to } = socket.getPeerCertificate();
  return {
    altNames: subjectaltname?.split(", ") ?? [],
    issuer: [issuer?.O, issuer?.CN].flat().filter(Boolean).join(" "),
    validFrom: new Date(valid_from),
    validUntil: new Date(valid_to),
  };
}
