/** Sends files: their name, content type, and whether a browser saves or shows them. */
import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

interface SentFile {
  /** Name with its extension. Any text is safe: the header encodes it. */
  name: string;
  type: string;
  /** Size of a stream, if known in advance. */
  bytes?: number | null;
  content: Readable | Uint8Array;
}

/** Sends a file that the browser saves. */
export const sendFile = (reply: FastifyReply, file: SentFile): FastifyReply =>
  send(reply, file, "attachment");

/**
 * Sends an uploaded file, which a browser saves, or shows where a page requests a picture. Because users upload it, no
 * page of ours runs it, whatever type its bytes resemble.
 */
export function sendUntrustedFile(
  reply: FastifyReply,
  file: SentFile,
  disposition: "attachment" | "inline" = "attachment",
): FastifyReply {
  reply.header("content-security-policy", "default-src 'none'; sandbox");
  return send(reply, file, disposition);
}

function send(
  reply: FastifyReply,
  { name, type, bytes, content }: SentFile,
  disposition: "attachment" | "inline",
): FastifyReply {
  if (bytes) reply.header("content-length", String(bytes));
  return reply.type(type).header("content-disposition", contentDisposition(name, disposition)).send(content);
}

/** Returns the header of RFC 6266: the name in plain ASCII for old programs, and in full for the others. */
export function contentDisposition(
  name: string,
  disposition: "attachment" | "inline" = "attachment",
): string {
  const plain = name
    .normalize("NFD")
    .replace(/[^ -~]|["\\%/]/g, "")
    .trim();
  return `${disposition}; filename="${plain || "arquivo"}"; filename*=UTF-8''${encoded(name.toWellFormed())}`;
}

/** Encodes for RFC 8187: also escapes the characters that encodeURIComponent leaves and a header may not contain. */
const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
