/** What a host's certificate says, for those who watch over it. */
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

export interface TlsFacts {
  /** Names the certificate is for, as they stand in it: `DNS:*.example.com`. */
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
